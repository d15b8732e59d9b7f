# syntax=docker/dockerfile:1

# Not later than 24.18: what is compiled against the headers of 24.19 to 24.21 ends the process at the first garbage
# collection of a statement (https://github.com/nodejs/node/issues/65446). It runs on any Node 24.
FROM node:24.18.1-slim AS build
WORKDIR /app
# better-sqlite3 compiles itself where its ready-made binary cannot be fetched.
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 make g++ \
 && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY src ./src
RUN npm run build \
 && npm prune --omit=dev \
 && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/build/Release/obj node_modules/better-sqlite3/build/Release/obj.target

FROM node:24-slim
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
