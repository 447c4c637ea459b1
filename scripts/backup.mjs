// npm run backup, restore and verify: the command is the first argument, which the program itself understands.
import { prepare } from './prepare.mjs'
import { checkNode } from './root.mjs'

checkNode()
await prepare(['server'])
await import(new URL('../dist/server/main.js', import.meta.url).href)
