import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { packagesTold, precompressed } from './vite.config.ts'

/**
 * The students' side under `/m`, built after the console into the same folder and by itself: a phone loads what its own
 * pages need and nothing of the console's kit.
 */
export default defineConfig({
  plugins: [react(), precompressed(), packagesTold({ adds: true })],
  build: {
    // what is in public has come with the console
    copyPublicDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: resolve('m/index.html') },
  },
})
