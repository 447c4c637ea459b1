// npm run create-school: makes a school and its first administrator, asking for what the settings do not give.
import { checkNode } from './root.mjs'
import { prepare } from './prepare.mjs'

checkNode()
await prepare(['server'])
await import(new URL('../dist/server/create-school.js', import.meta.url).href)
