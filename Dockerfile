# syntax=docker/dockerfile:1

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json ./packages/client/
COPY admin/package.json ./admin/
# Nothing has to be compiled: only better-sqlite3 12 would be, which Node 20 alone uses.
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY src ./src
COPY packages ./packages
COPY admin ./admin
COPY scripts/bundle.mjs scripts/console.mjs scripts/source-hash.mjs ./scripts/
# 1: with the packages for traces (OTEL_EXPORTER_OTLP_ENDPOINT), some 35 MB, in the versions that the tests run with.
ARG WITH_TRACING=0
RUN npm run build \
 && if [ "$WITH_TRACING" = 1 ]; then \
      for name in exporter-trace-otlp-proto resources sdk-trace-node; do \
        version=$(npm pkg get "devDependencies[@opentelemetry/$name]" | tr -d '"') \
        && npm pkg set "dependencies[@opentelemetry/$name]=$version" \
        && npm pkg delete "devDependencies[@opentelemetry/$name]" || exit 1; \
      done; \
    fi \
 && npm prune --omit=dev \
 && rm -rf node_modules/@content-service node_modules/.cache \
 && rm -rf node_modules/better-sqlite3

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/app/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The only folder that the service may write to. The volume takes over its owner.
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# No shell in between: SIGTERM must reach the service, which answers what it has accepted and then ends.
CMD ["node", "dist/src/main.js"]
