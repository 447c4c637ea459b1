import type pg from 'pg'
import { benchSchool } from './prepare.ts'

/**
 * Tables of the bare server, in a schema of their own: the rows of the bench school, with the indexes one would make.
 */
const tables: Record<string, readonly string[]> = {
  college: ['("scId")'],
  major: ['("smId")'],
  schoolClass: ['("scClassId")'],
  curriculum: ['("lsId")'],
  lessonLevel: ['("llId")'],
  department: ['("sdId")'],
  departmentUser: ['("suId")'],
  account: ['("suId")'],
  person: [
    '("suId")',
    '("suiType", "suiNumber")',
    '("suiGrade", "suiNumber")',
    'using gin ("suiName" bare.gin_trgm_ops)',
  ],
  lesson: ['("liId")', '("createTime" desc, "liId")', 'using gin ("liName" bare.gin_trgm_ops)'],
  lessonPerson: ['("liId")'],
  lessonSession: ['("liId")'],
  registration: ['("laId")', '("liId", "applyTime", "laId")', '("suId")'],
  sessionSign: ['("laId")'],
  supplement: [
    '("lisId")',
    '("createTime" desc, "lisId")',
    '("lisType", "lisObtainDate")',
    '("suId")',
    'using gin ("lisName" bare.gin_trgm_ops)',
  ],
  creditLedger: ['("clType", "occurTime" desc, "clId")', '("suId", "bizId")', '("bizId")'],
  question: ['("qId")', '("createTime" desc, "qId")'],
  information: ['("iiId")'],
  informationReceiver: ['("suId")'],
  approval: ['("bizId")'],
  approvalTask: ['("insId")'],
  auditLog: ['("logTime" desc, "logId")', '("actorId")'],
}

/**
 * Copies what the bare server answers from, where it is not there yet or has become another number of rows: a minute at
 * full size, once.
 */
export async function copyForBare(pool: pg.Pool, print: (text: string) => void): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; create schema if not exists bare')
    await client.query('create extension if not exists pg_trgm schema bare')
    const began = Date.now()
    const copied: string[] = []
    for (const [table, indexes] of Object.entries(tables)) {
      const there = await client.query<{ is: boolean }>(`select to_regclass('bare."${table}"') is not null as "is"`)
      if (there.rows[0]!.is) {
        const { rows } = await client.query<{ same: boolean }>(
          `select (select count(*) from bare."${table}") = (select count(*) from public."${table}" where "schoolId" = $1) as "same"`,
          [benchSchool],
        )
        if (rows[0]!.same) continue
        await client.query(`drop table bare."${table}"`)
      }
      await client.query(
        `create table bare."${table}" as select * from public."${table}" where "schoolId" = '${benchSchool}'`,
      )
      for (const index of indexes) await client.query(`create index on bare."${table}" ${index}`)
      await client.query(`vacuum (analyze) bare."${table}"`)
      copied.push(table)
    }
    if (copied.length > 0)
      print(`copied ${copied.join(', ')} for the bare server in ${Math.round((Date.now() - began) / 1000)} s`)
  } finally {
    client.release(true)
  }
}
