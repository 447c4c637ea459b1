import { v7 } from 'uuid'
import type pg from 'pg'
import { supplementStatus } from '../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../contract/core/codes/school.ts'

type Client = Pick<pg.PoolClient, 'query'>
type Draft = Record<string, string | undefined>

const trail = `insert into "auditLog" ("schoolId", "logId", "actorId", "actorName", "action", "result", "bizType", "bizId", "bizName", "before", "after", "reason", "requestId", "ip", "agent", "logTime")
  values ('demo', $1, $2, '系统管理员', $3, 'ok', 'supplement', $4, $5, $6, $7, '', 'bench', '127.0.0.1', 'bench', now())`

/**
 * A supplement record is saved: what it names is looked up, its hours are read from the rule, it is written, and the
 * trail gets a row, all in one transaction.
 */
export async function saveDraft(client: Client, draft: Draft, user: string): Promise<unknown> {
  const { rows: found } = await query<{ path: string[]; hours: number; esId: string | null }>(
    client,
    'draft-facts',
    `select n."lsPath" as "path", coalesce(e."baseHours", 0) as "hours", e."esId"
     from "person" p
     join "curriculum" n on n."lsId" = $2
     join "lessonLevel" v on v."llId" = $3
     left join public."evaluation" e on e."schoolId" = 'demo' and e."lsId" = n."lsId" and e."esLessonLevel" = v."llId" and e."enable" = '1'
     where p."suId" = $1 and p."suiType" = '${personType.student}' and p."suiStatus" = '${studentStatus.enrolled}' and p."delFlag" = '0'`,
    [draft['suId'], draft['lsId'], draft['lisLevel']],
  )
  const facts = found[0]
  if (!facts) throw new Error('no such student or module')
  const values = [
    draft['lisName'],
    draft['suId'],
    draft['lsId'],
    facts.path,
    draft['lisType'],
    draft['lisLevel'],
    draft['lisObtainDate'],
    facts.hours,
    facts.esId,
    user,
  ]
  if (draft['lisId']) {
    const { rows: before } = await query(
      client,
      'draft-lock',
      `select * from "supplement" where "lisId" = $1 and "delFlag" = '0' for update`,
      [draft['lisId']],
    )
    const { rows } = await query(
      client,
      'draft-update',
      `update "supplement"
       set "lisName" = $1, "suId" = $2, "lsId" = $3, "lsPath" = $4, "lisType" = $5, "lisLevel" = $6, "lisObtainDate" = $7, "lisHours" = $8, "esId" = $9,
         "updateBy" = $10, "updateTime" = now(), "version" = "version" + 1
       where "lisId" = $11
       returning "lisId", "lisStatus", "version"`,
      [...values, draft['lisId']],
    )
    await query(client, 'draft-trail', trail, [
      v7(),
      user,
      '编辑补录',
      draft['lisId'],
      draft['lisName'],
      JSON.stringify(before[0]),
      JSON.stringify(draft),
    ])
    return rows[0]
  }
  const lisId = v7()
  await query(
    client,
    'draft-insert',
    `insert into "supplement" ("schoolId", "lisName", "suId", "lsId", "lsPath", "lisType", "lisLevel", "lisObtainDate", "lisHours", "esId", "createBy", "lisId",
       "lisPartakeMode", "lisAward", "lisOrg", "certNo", "certUrl", "lisProofs", "lisDesc", "lisCredit", "lisPoints", "lisStatus", "statusBefore", "refuseReason",
       "lisPublictyStatus", "source", "delFlag", "createName", "createTime", "updateTime", "version")
     values ('demo', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '1', '', '', '', '', '{}', '', 0, 0, '0', '', '', '0', '2', '0', '系统管理员', now(), now(), 0)`,
    [...values, lisId],
  )
  await query(client, 'draft-trail', trail, [
    v7(),
    user,
    '录入补录',
    lisId,
    draft['lisName'],
    null,
    JSON.stringify(draft),
  ])
  return { lisId, lisStatus: supplementStatus.draft, version: 0 }
}

const query = <R extends pg.QueryResultRow>(client: Client, name: string, text: string, values: unknown[]) =>
  client.query<R>({ name, text, values })
