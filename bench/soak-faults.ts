import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fullPath } from '../contract/core/call.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import type { BadNetwork } from '../server/testing/bad-network.ts'
import type { Installation } from './installation.ts'

/** Something that goes wrong for a while. */
export interface Fault {
  name: string
  /** Resolves when it is over; what must come back by itself then comes back. */
  run(): Promise<void>
}

/** Seconds that a lasting fault lasts. */
const lasting = 15
/** Megabytes of the disk that can be filled. */
const diskMegabytes = 1500
/** Seconds by which a process's clock goes wrong. */
const clockStep = 300
const slowClients = 100
/** The one fault in which answers are cut off within. */
export const killed = 'process killed'

const libfaketime = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map((folder) => join(folder, 'faketime/libfaketime.so.1'))
  .find(existsSync)

/** A small file system of its own for the database; undefined where this machine does not let us mount one. */
export function smallDisk(folder: string): { path: string; end: () => void } | undefined {
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=0755`, 'tmpfs', folder])
  if (mounted.status !== 0) return undefined
  const path = join(folder, 'database')
  mkdirSync(path)
  chmodSync(path, 0o755)
  return { path, end: () => void spawnSync('umount', [folder]) }
}

/** How a process is started whose clock can be put wrong by a file. */
export const steppedClock = (file: string): Record<string, string> => {
  if (!libfaketime) return {}
  writeFileSync(file, '+0')
  return {
    LD_PRELOAD: libfaketime,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

interface Place {
  installation: Installation
  proxy: BadNetwork
  /** Of the balancer. */
  port: number
  disk: string | undefined
  clockFile: string
  /** Of somebody who is signed in. */
  token: string
}

/** The faults that can be made on this machine, in turn, and those that cannot, with what they lack. */
export function faultsAt({ installation, proxy, port, disk, clockFile, token }: Place): {
  faults: Fault[]
  lacking: string[]
} {
  const { nodes } = installation
  const faults: Fault[] = [
    {
      name: killed,
      run: async () => {
        await nodes[2]!.kill()
        await sleep(3000)
        await nodes[2]!.start()
      },
    },
    {
      name: 'database stopped',
      run: async () => {
        await installation.crashDatabase()
        await sleep(lasting * 1000)
        await installation.startDatabase()
      },
    },
    {
      name: 'connections silent',
      run: async () => {
        proxy.fallSilent()
        await sleep(lasting * 1000)
      },
    },
    ...(disk ? [{ name: 'disk full', run: () => fillDisk(disk, () => installation.startDatabase()) }] : []),
    ...(libfaketime
      ? [
          {
            name: 'clock stepped',
            run: async () => {
              writeFileSync(clockFile, `+${clockStep}`)
              await sleep(lasting * 1000)
              writeFileSync(clockFile, `-${clockStep}`)
              await sleep(lasting * 1000)
              writeFileSync(clockFile, '+0')
            },
          },
        ]
      : []),
    { name: 'slow clients', run: () => beSlow(port, token) },
  ]
  const lacking = [
    ...(disk ? [] : ['disk full: may not mount a small file system']),
    ...(libfaketime ? [] : ['clock stepped: apt-get install faketime']),
  ]
  return { faults, lacking }
}

/** Takes all room of the database's disk, gives it back, and starts the database if that was too much for it. */
async function fillDisk(disk: string, startDatabase: () => Promise<void>): Promise<void> {
  const file = join(disk, 'filler')
  const block = Buffer.alloc(1 << 20)
  const end = performance.now() + lasting * 1000
  let megabytes = 0
  while (performance.now() < end) {
    // what the database gives back is taken as well
    const opened = openSync(file, 'a')
    try {
      for (; megabytes < diskMegabytes; megabytes++) writeSync(opened, block)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(opened)
    }
    await sleep(500)
  }
  rmSync(file)
  await sleep(2000)
  await startDatabase()
}

/** Connections that send a body byte by byte, and others that ask for much and do not read it. */
async function beSlow(port: number, token: string): Promise<void> {
  const open: Socket[] = []
  for (let at = 0; at < slowClients; at++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    open.push(socket)
    if (at % 2)
      socket.write(
        'POST /api/auth2/oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{',
      )
    else {
      socket.write(
        `GET ${fullPath(lessonApi.view)}?current=1&pageSize=100 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`.repeat(
          10,
        ),
      )
      socket.pause()
    }
  }
  for (let second = 0; second < lasting * 2; second++) {
    await sleep(1000)
    for (const [at, socket] of open.entries()) if (at % 2 && socket.writable) socket.write(' ')
  }
  for (const socket of open) socket.destroy()
}
