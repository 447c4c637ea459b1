import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from './connection.ts'
import { isAway } from './unreachable.ts'

/** Seconds that a start waits for a database, as where the machines of both have just come up. */
const waitSeconds = 60
const pauseMs = 1000

/** What waiting may mend, beside a server that is away: one that is starting, or too busy to answer. */
const passing = /^(08|57P03)/

/** Whether a connection failed because nothing answered within its time; the driver gives such errors no code. */
export const isConnectTimeout = ({ message = '' }: { message?: string }): boolean =>
  /timeout expired|timeout exceeded|Connection terminated/.test(message)

/**
 * Waits until a database answers.
 * @param print told once, in Chinese, that the person has to wait
 * @throws what came last where it does not answer within the seconds, and at once what waiting does not mend, such as a
 *   wrong password
 */
export async function awaitDatabase(
  connection: Connection,
  print: (text: string) => void,
  seconds = waitSeconds,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let isTold = false; ; isTold = true) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (performance.now() > end || !(passing.test(code) || isAway(code) || isConnectTimeout({ message }))) throw error
      if (!isTold) print(`数据库还没有应答（${message}），最多等待 ${seconds} 秒……`)
      await sleep(pauseMs)
    } finally {
      void client.end().catch(() => {})
    }
  }
}
