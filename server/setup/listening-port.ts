import { createServer } from 'node:net'
import type { Config } from '../core/base/config.ts'
import { StartFault } from '../core/base/start-fault.ts'

/** The port to listen at. */
export interface ListeningPort {
  port: number
  /** Said in Chinese where it is not the wanted one; tells who is at that one as far as can be seen. */
  instead?: string
}

/** Ports tried beyond the wanted one. */
const tries = 50

/**
 * The wanted port; while developing the next free one where it is taken. In production a taken port is refused, for a
 * service that moves to another one is out of its proxy's sight.
 * @throws StartFault where the port is taken or may not be used, or the host is not of this machine
 */
export async function listeningPort({ port, host, production }: Config): Promise<ListeningPort> {
  if (port === 0) return { port }
  for (let next = port; next <= Math.min(port + tries, 65_535); next++) {
    const code = await faultOf(next, host)
    if (!code) return next === port ? { port } : { port: next, instead: await takenText(port, host, `改用 ${next}`) }
    if (code !== 'EADDRINUSE') throw listenFault({ code }, next, host)
    if (production)
      throw new StartFault(await takenText(port, host, '生产环境不会自动换端口，请停掉它，或用 PORT 指定别的端口'))
  }
  throw new StartFault(`端口 ${port} 及其后 ${tries} 个端口都被占用，请用 PORT 指定别的端口。`)
}

/** Why listening failed, in words; an error that is none of ours comes back as it is. */
export function listenFault(error: { code?: string }, port: number, host: string): unknown {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartFault(`端口 ${port} 刚刚被别的程序占用，请再启动一次，或用 PORT 指定别的端口。`)
    case 'EACCES':
      return new StartFault(`没有权限使用端口 ${port}，请用 PORT 指定 1024 以上的端口。`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL':
      return new StartFault(`本机没有地址 ${host}，请检查 HOST。`)
    default:
      return error
  }
}

/** The code of the error that listening there gives; undefined where it would work. */
const faultOf = (port: number, host: string): Promise<string | undefined> =>
  new Promise((answer) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) => answer(error.code ?? 'error'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => answer(undefined)))
  })

const takenText = async (port: number, host: string, instead: string): Promise<string> =>
  `${port} 已被占用（${(await isOurs(port, host)) ? '另一个正在运行的第二课堂 Console' : '别的程序正在使用'}），${instead}`

/** Whether the program at a port is one like this. */
async function isOurs(port: number, host: string): Promise<boolean> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(1000) })
    .then((response) => response.json())
    .catch(() => null)
  return (answer as { status?: string } | null)?.status === 'ok'
}
