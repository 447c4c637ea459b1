import { fullPath } from '../contract/core/call.ts'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { auditApi } from '../contract/school/audit/audit.calls.ts'
import { serviceConnection } from '../server/core/postgres/embedded.ts'
import { signIn } from '../server/testing/client.ts'
import { startPgbouncer, type Pooler } from '../server/testing/pgbouncer.ts'
import { addressOf, admin, openInstallation, run, schoolId } from './installation.ts'
import type { Part } from './report.ts'

const processes = 3
const listsPerProcess = 160

/**
 * Several processes behind PgBouncer in transaction mode: what lacks a setting is refused in words, with the settings
 * all start, every list is answered, and no lock of a session stays with a server process of the pooler.
 */
export async function pooler(): Promise<Part> {
  let bouncer: Pooler | undefined
  const missed: string[] = []
  const rows: Part['rows'] = []
  const tell = (check: string, found: string | number, isGood: boolean) => {
    rows.push({ check, found })
    if (!isGood) missed.push(`${check}: ${found}`)
  }
  const settings = async (database: Parameters<typeof addressOf>[0]) => {
    bouncer = await startPgbouncer(database)
    const { user, host, port } = bouncer.through(database.database!)
    const pooled = { DATABASE_URL: `postgres://${user}@${host}:${port}/${database.database}` }
    return { pooled, direct: { DIRECT_DATABASE_URL: addressOf(serviceConnection(database)) } }
  }
  const installation = await openInstallation(processes, async (database, attempt) => {
    const { pooled, direct } = await settings(database)
    const without = await attempt(pooled)
    tell('without DIRECT_DATABASE_URL', firstLine(without), without.includes('请另设 DIRECT_DATABASE_URL'))
    const named = await attempt({ ...pooled, ...direct })
    const isOld = named.includes('PREPARED_STATEMENTS=0')
    tell('with prepared statements', isOld ? firstLine(named) : 'started', isOld || named === '')
    return { ...pooled, ...direct, ...(isOld ? { PREPARED_STATEMENTS: '0' } : {}) }
  })
  try {
    tell('processes that started', installation.nodes.length, true)
    let bad = 0
    await Promise.all(
      installation.nodes.map(async ({ port }) => {
        const address = `http://127.0.0.1:${port}`
        const { token } = await signIn(address, schoolId, admin.username, admin.password)
        for (let at = 0; at < listsPerProcess; at += 8)
          await Promise.all(
            Array.from({ length: 8 }, async (_, of) => {
              const call = of % 2 ? collegeApi.list : auditApi.list
              const answer = await fetch(address + fullPath(call), {
                method: call.method,
                headers: { authorization: `Bearer ${token}` },
              }).then((response) => response.json() as Promise<{ code: number }>)
              if (answer.code !== 200) bad++
            }),
          )
      }),
    )
    tell(`bad lists of ${processes * listsPerProcess}`, bad, bad === 0)
    const left = await run<{ count: number }>(
      installation.database,
      `select count(*)::int "count" from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and a.state = 'idle'`,
    )
    tell('advisory locks held by idle connections', left[0]!.count, left[0]!.count === 0)
    const listening = await run<{ count: number }>(
      installation.database,
      `select count(*)::int "count" from pg_stat_activity where application_name like '%signals'`,
    )
    tell('processes that hear signals', listening[0]!.count, listening[0]!.count === processes)
  } finally {
    await installation.close()
    await bouncer?.stop()
  }
  return { title: `${processes} processes behind PgBouncer in transaction mode`, rows, missed }
}

/** What the last start that was refused was told. */
const firstLine = (text: string): string =>
  [...text.matchAll(/启动失败：([^\n]*)/g)].at(-1)?.[1]?.slice(0, 60) ?? (text || 'started')
