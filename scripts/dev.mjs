// npm run dev: the service restarts and the console reloads by themselves when a file changes.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { checkNode, root, say, tool } from './root.mjs'
import { ensureInstalled } from './install.mjs'

checkNode()
await ensureInstalled()

/** @param {number} port @returns {Promise<number>} the port, or the next free one */
const freePort = (port) =>
  new Promise((found) => {
    const probe = createServer().once('error', () => found(freePort(port + 1)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => found(port)))
  })

const service = String(await freePort(Number(process.env.PORT || 8080)))
const page = String(await freePort(5173))
const parts = [
  spawn(tool('tsx'), ['watch', '--clear-screen=false', 'server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: service },
  }),
  spawn(tool('vite'), ['--clearScreen', 'false', '--strictPort', '--port', page], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SERVICE: `http://127.0.0.1:${service}` },
  }),
]
say(`开发模式：控制台 http://localhost:${page}，服务端口 ${service}。按 Ctrl-C 停止`)

let stopping = false
const stop = (signal) => {
  if (stopping) return
  stopping = true
  for (const part of parts) part.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
await Promise.all(parts.map((part) => new Promise((ended) => part.on('exit', () => ended(stop('SIGTERM'))))))
