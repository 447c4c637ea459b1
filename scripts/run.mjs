// node scripts/run.mjs <file.ts> [arguments]: runs one of our TypeScript programs directly.
import { spawn } from 'node:child_process'
import { checkNode, root, tool } from './root.mjs'
import { ensureInstalled } from './install.mjs'

checkNode()
await ensureInstalled()
const child = spawn(tool('tsx'), process.argv.slice(2), { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
