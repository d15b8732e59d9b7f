import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** All addresses are relative to the page, which the service may show below any path. */
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    manifest: true,
    // One file of styles, so that no page that is loaded later can lack its own.
    cssCodeSplit: false,
    emptyOutDir: true,
    // Fonts in the text of a style would be refused by the policy of the page.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
  },
});
