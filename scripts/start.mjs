// npm start: installs what is missing, builds what has changed, then runs the program in this very process.
import { checkNode } from './root.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

checkNode()
ensureInstalled()
ensureBuilt()
process.setSourceMapsEnabled(true)
await import(new URL('../dist/server/main.js', import.meta.url).href)
