import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The text that every scanner finds, put together here so that no scanner finds this file. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** What a stand-in does instead of answering as clamd would. */
export type ClamdMood = 'well' | 'silent' | 'confused' | 'hangs-up'

/**
 * Speaks clamd's protocol over a socket of its own: PING, VERSION and INSTREAM, of contents up to `maxLength` bytes
 * (clamd's `StreamMaxLength`). It finds {@link eicar} wherever it stands.
 */
export async function startClamd({
  over = 'unix',
  maxLength = 100_000,
}: { over?: 'unix' | 'tcp'; maxLength?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'clamd-'))
  const sockets = new Set<Socket>()
  const state = {
    mood: 'well' as ClamdMood,
    /** The contents that have come whole. */
    received: [] as Buffer[],
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    const end = (text: string) => socket.end(`${text}\0`)
    let bytes = Buffer.alloc(0)
    const chunks: Buffer[] = []
    let isStream = false
    socket.on('data', (more: Buffer) => {
      bytes = Buffer.concat([bytes, more])
      if (!isStream) {
        const until = bytes.indexOf(0)
        if (until < 0) return
        const command = bytes.subarray(0, until).toString()
        bytes = bytes.subarray(until + 1)
        if (state.mood === 'silent') return
        if (command === 'zPING') return void end('PONG')
        if (command === 'zVERSION') return void end('ClamAV 1.4.6/stand-in')
        if (command !== 'zINSTREAM') return void end('UNKNOWN COMMAND')
        isStream = true
      }
      if (state.mood === 'hangs-up') return void socket.destroy()
      while (bytes.length >= 4) {
        const length = bytes.readUInt32BE()
        if (chunks.reduce((sum, chunk) => sum + chunk.length, length) > maxLength) {
          // as clamd does: it knows by the length alone, and closes whatever else is still on its way
          socket.removeAllListeners('data')
          socket.write('INSTREAM size limit exceeded. ERROR\0', () => socket.destroy())
          return
        }
        if (length > 0 && bytes.length < 4 + length) return
        if (length === 0) {
          const content = Buffer.concat(chunks)
          state.received.push(content)
          if (state.mood === 'confused') return void end("stream: Can't allocate memory ERROR")
          return void end(content.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK')
        }
        chunks.push(bytes.subarray(4, 4 + length))
        bytes = bytes.subarray(4 + length)
      }
    })
  })
  const path = join(folder, 'clamd.ctl')
  await new Promise<void>((ready) =>
    over === 'unix' ? server.listen(path, ready) : server.listen(0, '127.0.0.1', ready),
  )
  return {
    state,
    /** As the setting CLAMD names it. */
    address: over === 'unix' ? `unix:${path}` : `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
