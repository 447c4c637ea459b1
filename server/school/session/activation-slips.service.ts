import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { activationApi, maxSlips } from '../../../contract/school/session/activation.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { addDays } from '../../core/base/clock.ts'
import { publicOrigin } from '../../core/base/public-origin.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { recordset } from '../../core/database/bulk.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { auditedFile } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { assertNotOutranked } from '../people/rank-check.service.ts'
import { filteredStudents } from '../people/student-filter.service.ts'
import { visibleStudents } from '../people/students.service.ts'
import { schoolAppearanceOf } from '../school/school.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { activationCodeHash, newActivationCode } from './activation-code.ts'
import { drawSlips } from './activation-slip-thread.ts'

/**
 * Makes a code for each of the students whose accounts wait for activation and answers the slips to hand out, this
 * once; the codes they had before are void. Codes are kept as keyed hashes; who got one stands in their history.
 * @throws Failure `nobody-to-activate`, `too-many-slips`, or `not-found` where one of the chosen is out of reach
 */
export async function printSlips(
  ctx: Context,
  { suIds, reason, current: _, pageSize: __, sort: ___, order: ____, ...filter }: Checked<typeof activationApi.slips>,
): Promise<FileAnswer> {
  const { schoolId, suId: createBy } = ctx.actor
  const { activationWay, activationDays } = await schoolSettings(ctx, schoolId)
  if (activationWay !== 'slip' && activationWay !== 'both') throw new Failure('activation-slips-off')
  if (suIds) await assertVisible(ctx, suIds)
  const students = await studentsToActivate(ctx, suIds, filter)
  if (students.length === 0) throw new Failure('nobody-to-activate')
  const expireTime = addDays(ctx.clock.now(), activationDays)
  const slips = students.map((student) => ({ ...student, code: newActivationCode() }))
  // drawn before anything is written: a slip that cannot be drawn leaves the codes of before as they are
  const pdf = await drawSlips({
    slips,
    printing: {
      schoolId,
      schName: (await schoolAppearanceOf(ctx, schoolId)).schName,
      expireTime,
      origin: publicOrigin(ctx.config),
      at: ctx.clock.now(),
      byName: ctx.actor.suNickname,
    },
  })
  await inTransaction(ctx, async (tx) => {
    const ids = slips.map(({ suId }) => suId)
    await assertNotOutranked(tx, ids)
    const rows = slips.map(({ suId, code }) => ({
      suId,
      codeHash: `\\x${activationCodeHash(tx, suId, code).toString('hex')}`,
    }))
    await sql`
      insert into "activationCode" ("schoolId", "suId", "codeHash", "expireTime", "createTime", "createBy")
      select ${schoolId}, r."suId", r."codeHash", ${expireTime}::timestamptz, ${tx.clock.now()}::timestamptz,
        ${createBy}::uuid
      from ${recordset(rows, { suId: 'uuid', codeHash: 'bytea' })}
      on conflict ("schoolId", "suId") do update
      set "codeHash" = excluded."codeHash",
        "expireTime" = excluded."expireTime",
        "createTime" = excluded."createTime",
        "createBy" = excluded."createBy"`.execute(tx.db)
    await auditMany(
      tx,
      slips.map(({ suId, suiName, suiNumber }) => ({
        action: activationApi.slips.summary,
        bizType: 'person',
        bizId: suId,
        bizName: `${suiName}（${suiNumber}）`,
        reason,
      })),
    )
  })
  const title = '账号激活单'
  return {
    name: `${title}_${slips.length}人_${ctx.clock.now().slice(0, 10)}.pdf`,
    type: 'application/pdf',
    body: auditedFile(ctx, Readable.from([pdf]), {
      title: `${title}（${slips.length} 人）`,
      what: title,
      reason,
      about: () => ({ rows: slips.length, filter: suIds ? { suIds: suIds.length } : filter }),
    }),
  }
}

async function assertVisible(ctx: Context, suIds: readonly string[]): Promise<void> {
  const { found } = await visibleStudents(ctx)
    .select(sql<number>`count(*)::int`.as('found'))
    .where(anyOf('person.suId', suIds))
    .executeTakeFirstOrThrow()
  if (found !== suIds.length) throw new Failure('not-found')
}

type Filter = Omit<Checked<typeof activationApi.slips>, 'suIds' | 'reason' | 'current' | 'pageSize'>

/** In the order in which slips are handed out: class by class. */
async function studentsToActivate(ctx: Context, suIds: readonly string[] | undefined, filter: Filter) {
  let waiting = filteredStudents(ctx, { ...filter, activated: yesNo.no })
  if (suIds) waiting = waiting.where(anyOf('person.suId', suIds))
  const students = await waiting
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .select([
      'person.suId',
      'person.suiNumber',
      'person.suiName',
      sql<string>`coalesce("scName", '')`.as('scName'),
      sql<string>`coalesce("scClassName", '')`.as('scClassName'),
      sql<number>`(count(*) over ())::int`.as('all'),
    ])
    .orderBy('college.scSort')
    .orderBy('schoolClass.scClassName')
    .orderBy('person.suiNumber')
    .limit(maxSlips + 1)
    .execute()
  if (students.length > maxSlips) throw new Failure('too-many-slips', { n: students[0]!.all, max: maxSlips })
  return students
}
