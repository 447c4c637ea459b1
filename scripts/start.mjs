// npm start: installs what is missing, builds what has changed, then runs the program in this very process.
import { doing } from './progress.mjs'
import { checkNode } from './root.mjs'
import { prepare } from './prepare.mjs'

checkNode()
await prepare()
process.setSourceMapsEnabled(true)
doing('正在启动服务……')
await import(new URL('../dist/server/main.js', import.meta.url).href)
