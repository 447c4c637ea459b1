import type pg from 'pg'
import { creditType, lessonStatus } from '../contract/core/codes/programme.ts'
import { personType } from '../contract/core/codes/school.ts'

/** Runs a statement, prepared by its text. */
export type Run = (text: string, values?: unknown[]) => Promise<pg.QueryResult<Record<string, unknown>>>
/** What a request gives: fields of the address and of the body as they came. */
export type Given = Readonly<Record<string, string | undefined>>
/** Answers a call: what stands in `data`. */
export type Answer = (run: Run, given: Given, user: string) => Promise<unknown>

/** Hundredths as decimal text. */
const decimal = (value: unknown): string | null => (value === null ? null : String(Number(value) / 100))

interface Listing {
  columns: string
  from: string
  /** Conditions; `$1` in one stands for its value. */
  where: readonly (string | false | readonly [condition: string, value: unknown])[]
  order: string
  /** Columns in hundredths. */
  amounts?: readonly string[]
  /** Counts so far and no further. */
  countTo?: number
}

/** A page and its total by two plain statements, both under way at once. */
async function list(run: Run, { current = '1', pageSize = '10' }: Given, listing: Listing): Promise<object> {
  const values: unknown[] = []
  const conditions = listing.where
    .filter((one) => one !== false)
    .map((one) => {
      if (typeof one === 'string') return one
      values.push(one[1])
      return one[0].replaceAll('$1', `$${values.length}`)
    })
  const matching = `${listing.from} where ${conditions.join(' and ') || 'true'}`
  const size = Number(pageSize)
  const [page, count] = await Promise.all([
    run(
      `select ${listing.columns} from ${matching} order by ${listing.order} limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, size, (Number(current) - 1) * size],
    ),
    run(
      listing.countTo
        ? `select count(*)::int as "total" from (select 1 from ${matching} limit ${listing.countTo + 1}) s`
        : `select count(*)::int as "total" from ${matching}`,
      values,
    ),
  ])
  for (const row of page.rows) for (const column of listing.amounts ?? []) row[column] = decimal(row[column])
  const counted = count.rows[0]!['total'] as number
  const total = listing.countTo ? Math.min(counted, listing.countTo) : counted
  return {
    records: page.rows,
    total,
    current: Number(current),
    pageSize: size,
    pages: Math.max(1, Math.ceil(total / size)),
  }
}

const equals = (column: string, value: string | undefined) =>
  value !== undefined && ([`${column} = $1`, value] as const)
const contains = (column: string, value: string | undefined) =>
  value !== undefined && ([`${column} like $1`, `%${value.replace(/[\\%_]/g, '\\$&')}%`] as const)

const supplementColumns = `s."lisId", s."lisName", s."suId", p."suiName", p."suiNumber", p."suiGrade", s."lsId", s."lisType",
  s."lisLevel", v."llName" as "lisLevelName", s."lisPartakeMode", s."lisAward", s."lisOrg", s."lisObtainDate", s."certNo",
  s."lisHours", s."lisCredit", s."lisStatus", s."refuseReason", s."lisPublictySdate", s."lisPublictyEdate",
  s."lisPublictyStatus", s."source", s."delFlag", s."createName", s."createTime", s."version",
  cardinality(s."lisProofs") as "proofCount", concat_ws(' / ', m."lsName", n."lsName") as "lsName",
  coalesce(c."scName", '') as "collegeName", coalesce(k."scClassName", '') as "className"`
const supplementTables = `"supplement" s
  join "person" p on p."suId" = s."suId"
  join "lessonLevel" v on v."llId" = s."lisLevel"
  join "curriculum" n on n."lsId" = s."lsId"
  left join "curriculum" m on m."lsId" = n."lsPid"
  left join "college" c on c."scId" = p."suiCollegeId"
  left join "schoolClass" k on k."scClassId" = p."scClassId"`
const lessonColumns = `l."liId", l."liName", l."liNo", l."lsId", l."liLevel", l."liKind", l."liScheme", l."liCollegeId",
  l."liPrincipalId", l."placeText", l."quota", l."applyStart", l."applyEnd", l."startTime", l."endTime", l."liHours", l."liStatus",
  v."llName" as "liLevelName", l."itemCategory", l."parentLiId", l."liSponsorName", l."liPrincipalName", l."applyCount",
  l."pendingCount", l."passCount", l."signCount", l."resultCount", l."liCredit", l."liPublictySdate", l."liPublictyEdate",
  l."createName", l."createTime", l."version", concat_ws(' / ', m."lsName", n."lsName") as "lsName"`
const lessonTables = `"lesson" l
  join "lessonLevel" v on v."llId" = l."liLevel"
  join "curriculum" n on n."lsId" = l."lsId"
  left join "curriculum" m on m."lsId" = n."lsPid"`

const flows = (run: Run, bizId: unknown) =>
  run(
    `select a."insId", a."nodeName", a."bizType", a."wfName", a."wfVersion", a."insStatus", a."startName", a."startTime", a."endTime",
       (select json_agg(json_build_object('step', t."stepName", 'checker', t."checkerName", 'status', t."taskStatus", 'opinion', t."opinion", 'at', t."handleTime") order by t."arriveTime")
        from "approvalTask" t where t."insId" = a."insId") as "tasks"
     from "approval" a where a."bizId" = $1 order by a."startTime"`,
    [bizId],
  )
/** Tasks of an approval are told in another form than ours; they are sent, and not compared. */
const asFlows = ({ rows }: Awaited<ReturnType<Run>>) => rows.map(({ tasks, ...flow }) => ({ ...flow, '-tasks': tasks }))

/** Lists and details as anybody would write them who knows only the tables and what is to be answered. */
export const reading: Record<string, Answer> = {
  '/lessonsInfoSup/list': (run, given) =>
    list(run, given, {
      columns: supplementColumns,
      from: supplementTables,
      where: [
        `s."delFlag" = '0'`,
        equals('s."lisType"', given['lisType']),
        given['obtainStart'] !== undefined && [`s."lisObtainDate" >= $1`, given['obtainStart']],
        given['obtainEnd'] !== undefined && [`s."lisObtainDate" <= $1`, given['obtainEnd']],
        contains('s."lisName"', given['lisName']),
      ],
      order: `s."createTime" desc, s."lisId" desc`,
      amounts: ['lisHours', 'lisCredit'],
    }),
  '/lessonsInfoAC/view': (run, given) =>
    list(run, given, {
      columns: lessonColumns,
      from: lessonTables,
      where: [`l."delFlag" = '0'`, contains('l."liName"', given['liName']), equals('l."liStatus"', given['liStatus'])],
      order: `l."createTime" desc, l."liId"`,
      amounts: ['liHours', 'liCredit'],
    }),
  '/sysUserInfo/studentUserInfoList': (run, given) =>
    list(run, given, {
      columns: `p."suId", p."suiName", p."suiNumber", p."suiSex", p."suiCollegeId", c."scName" as "suiCollegeName", p."majorId",
        m."smName" as "majorName", p."scClassId", k."scClassName", p."suiGrade", p."suiStatus", p."suiCredibility", p."warnLevel",
        a."suStatus", a."lastLoginTime", p."version", p."suiPolitical"`,
      from: `"person" p
        left join "college" c on c."scId" = p."suiCollegeId"
        left join "major" m on m."smId" = p."majorId"
        left join "schoolClass" k on k."scClassId" = p."scClassId"
        left join "account" a on a."suId" = p."suId"`,
      where: [
        `p."delFlag" = '0' and p."suiType" = '${personType.student}'`,
        contains('p."suiName"', given['suiName']),
        equals('p."suiGrade"', given['suiGrade']),
        equals('p."suiCollegeId"', given['suiCollegeId']),
      ],
      order: `p."suiNumber", p."suId"`,
    }),
  '/sysUserInfo/teacherUserInfoList': (run, given) =>
    list(run, given, {
      columns: `p."suId", p."suiName", p."suiNumber", p."suiSex", p."suiType", p."suiCollegeId", c."scName" as "suiCollegeName",
        p."title", p."teacherType", p."suiStatus", a."suStatus", a."lastLoginTime", p."version", p."suiPolitical",
        array(select d."sdName" from "departmentUser" u join "department" d on d."sdId" = u."sdId" where u."suId" = p."suId" order by u."sdSort", d."sdName") as "departments"`,
      from: `"person" p
        left join "college" c on c."scId" = p."suiCollegeId"
        left join "account" a on a."suId" = p."suId"`,
      where: [
        `p."delFlag" = '0' and p."suiType" <> '${personType.student}'`,
        contains('p."suiName"', given['suiName']),
      ],
      order: `p."suiNumber", p."suId"`,
    }),
  '/lessonsApplyInfo/view': (run, given) =>
    list(run, given, {
      columns: `r."laId", r."liId", r."suId", p."suiName", p."suiNumber", p."suiGrade", r."laStatus", r."applyTime", r."applyFrom",
        r."refuseReason", r."waitNo", r."drawNo", r."partakeMode", r."laSignStatus", r."signInTime", r."signOutTime", r."signMethod",
        r."laResult", r."adId", r."awardName", r."laHours", r."laCredit", r."laPoints", r."remark",
        (select count(*)::int from "sessionSign" x where x."laId" = r."laId") as "attended",
        coalesce(c."scName", '') as "collegeName", coalesce(k."scClassName", '') as "className"`,
      from: `"registration" r
        join "person" p on p."suId" = r."suId"
        left join "college" c on c."scId" = p."suiCollegeId"
        left join "schoolClass" k on k."scClassId" = p."scClassId"`,
      where: [`r."delFlag" = '0'`, equals('r."liId"', given['liId'])],
      order: `r."applyTime", r."laId"`,
      amounts: ['laHours', 'laCredit', 'laPoints'],
    }),
  '/student/activities': (run, given) =>
    list(run, given, {
      columns: `l."liId", l."liName", l."liKind", n."lsName", v."llName" as "levelName", c."scName" as "collegeName", l."placeText",
        l."startTime", l."endTime", l."applyStart", l."applyEnd", l."liHours" as "hours", l."liCredit" as "credit", l."quota",
        l."passCount", l."applyWay", r."laStatus"`,
      from: `"lesson" l
        left join "curriculum" n on n."lsId" = l."lsId"
        left join "lessonLevel" v on v."llId" = l."liLevel"
        left join "college" c on c."scId" = l."liCollegeId"
        left join "registration" r on r."liId" = l."liId" and r."suId" = '${given['suId']!}'`,
      where: [`l."delFlag" = '0' and l."liStatus" = '${lessonStatus.published}' and l."endTime" > now()`],
      order: `l."startTime", l."liId"`,
      amounts: ['hours', 'credit'],
    }),
  '/informationInfo/selectAll': (run, given, user) =>
    list(run, given, {
      columns: `r."iurId", r."iiId", r."isRead", r."readTime", i."iiTitle", i."iiContent", i."iiType", i."link", i."createName", i."sendTime", i."recalled"`,
      from: `"informationReceiver" r join "information" i on i."iiId" = r."iiId"`,
      where: [`r."inboxDeleted" = '0'`, ['r."suId" = $1', user]],
      order: `i."sendTime" desc, r."iurId" desc`,
    }),
  '/auditLog/list': (run, given) =>
    list(run, given, {
      columns: `a."logId", a."logTime", a."actorId", a."actorName", a."action", a."result", a."bizType", a."bizName", a."reason", a."ip", a."requestId", p."suiNumber" as "actorNumber"`,
      from: `"auditLog" a left join "person" p on p."suId" = a."actorId"`,
      where: [equals('a."bizType"', given['bizType'])],
      order: `a."logTime" desc, a."logId" desc`,
      countTo: 10_000,
    }),
  '/lessonsQuestion/list': (run, given) =>
    list(run, given, {
      columns: `q."qId", q."liId", l."liName", l."liStatus", coalesce(c."scName", '') as "collegeName", q."targetSuId",
        coalesce(p."suiName", '') as "targetName", coalesce(p."suiNumber", '') as "targetNumber", q."qType", q."qContent", q."qStatus",
        q."source", q."createTime", q."deadline", q."handleName", q."handleTime", q."qOutcome", q."creditDelta",
        q."credibilityDelta", q."version"`,
      from: `"question" q
        join "lesson" l on l."liId" = q."liId"
        left join "college" c on c."scId" = l."liCollegeId"
        left join "person" p on p."suId" = q."targetSuId"`,
      where: [`q."delFlag" = '0'`, contains('l."liName"', given['liName'])],
      order: `q."createTime" desc, q."qId"`,
      amounts: ['creditDelta'],
    }),
  '/transcript/getStuScore': (run, given) =>
    list(run, given, {
      columns: `c."clId" as "recId", c."source", c."bizName" as "name", c."moduleId", c."occurTime" as "startTime",
        c."grantedAt" as "grantTime", n."lsName", m."lsName" as "moduleName", p."suId", p."suiName", p."suiNumber",
        coalesce(o."scName", '') as "collegeName",
        (select sum(x."clValue")::int from "creditLedger" x where x."suId" = c."suId" and x."bizId" = c."bizId" and x."moduleId" = c."moduleId" and x."clType" = '${creditType.hours}') as "hours",
        (select coalesce(sum(x."clValue"), 0)::int from "creditLedger" x where x."suId" = c."suId" and x."bizId" = c."bizId" and x."moduleId" = c."moduleId" and x."clType" = '${creditType.credit}') as "credit",
        (select coalesce(sum(x."clValue"), 0)::int from "creditLedger" x where x."suId" = c."suId" and x."bizId" = c."bizId" and x."moduleId" = c."moduleId" and x."clType" = '${creditType.points}') as "points"`,
      from: `"creditLedger" c
        join "person" p on p."suId" = c."suId" and p."delFlag" = '0'
        join "curriculum" n on n."lsId" = c."lsId"
        join "curriculum" m on m."lsId" = c."moduleId"
        left join "college" o on o."scId" = p."suiCollegeId"`,
      where: [`c."clType" = '${creditType.hours}' and c."reverseOf" is null`],
      order: `c."occurTime" desc, c."clId"`,
      amounts: ['hours', 'credit', 'points'],
      countTo: 10_000,
    }),
  '/lessonsInfoAC/queryLessonsDetails': async (run, { liId }) => {
    const [lesson, people, sessions, approvals] = await Promise.all([
      run(
        `select ${lessonColumns}, l."liForm", l."liIntro", l."contactName", l."contactPhone", l."campus", l."applyWay", l."applyUnit",
           l."waitlistOn", l."rangeGrades", l."signType", l."lateMinutes", l."signOutOn", l."minAttendRate", l."publishAt", l."atId",
           l."publictyDays", l."isQuestionedAudit", l."resultSummary", l."exitReason", l."publishTime", l."completeTime"
         from ${lessonTables} where l."liId" = $1`,
        [liId],
      ),
      run(
        `select x."lpRole", p."suId", p."suiName", p."suiNumber" from "lessonPerson" x join "person" p on p."suId" = x."suId" where x."liId" = $1`,
        [liId],
      ),
      run(
        `select "lseNo", "startTime", "endTime", "placeText" from "lessonSession" where "liId" = $1 order by "lseNo"`,
        [liId],
      ),
      flows(run, liId),
    ])
    const row = lesson.rows[0]!
    return {
      ...row,
      liHours: decimal(row['liHours']),
      liCredit: decimal(row['liCredit']),
      '-people': people.rows,
      sessions: sessions.rows,
      '-flows': asFlows(approvals),
    }
  },
  '/lessonsInfoSup/detail': async (run, { lisId }) => {
    const [supplement, ledger, approvals] = await Promise.all([
      run(
        `select ${supplementColumns}, s."lsPath", s."lisStartDate", s."lisEndDate", s."certUrl", s."lisTeamSize", s."lisRank", s."lisPoints", s."lisDesc", s."passTime", s."completeTime"
         from ${supplementTables} where s."lisId" = $1`,
        [lisId],
      ),
      run(
        `select "clId", "source", "clType", "clValue", "explain", "grantedAt" from "creditLedger" where "bizId" = $1 order by "clId"`,
        [lisId],
      ),
      flows(run, lisId),
    ])
    const row = supplement.rows[0]!
    for (const column of ['lisHours', 'lisCredit', 'lisPoints']) row[column] = decimal(row[column])
    return { ...row, '-ledger': ledger.rows, '-flows': asFlows(approvals) }
  },
  '/sysUserInfo/getUserInfoEdit': async (run, { id }) => {
    const [person, sums] = await Promise.all([
      run(
        `select p."suId", p."suiName", p."suiNumber", p."suiSex", p."suiCollegeId", c."scName" as "suiCollegeName", p."majorId",
           m."smName" as "majorName", p."scClassId", k."scClassName", p."suiGrade", p."suiStatus", p."suiCredibility", p."warnLevel",
           p."suiPolitical", a."suStatus", a."lastLoginTime", p."version", p."suiNation", p."suiEmail", p."provinceId",
           p."suiEduLevel", p."suiStudyYears", p."suiEnterDate", p."suiGraduateDate", p."suiCampus", p."suiDorm",
           p."isVolunteerRegistered", p."createName", p."createTime", p."updateTime", t."suiName" as "counselorName"
         from "person" p
         left join "college" c on c."scId" = p."suiCollegeId"
         left join "major" m on m."smId" = p."majorId"
         left join "schoolClass" k on k."scClassId" = p."scClassId"
         left join "person" t on t."suId" = k."counselorId"
         left join "account" a on a."suId" = p."suId"
         where p."suId" = $1`,
        [id],
      ),
      run(`select "clType", sum("clValue")::int as "sum" from "creditLedger" where "suId" = $1 group by 1`, [id]),
    ])
    const sum = (type: string) => decimal(sums.rows.find(({ clType }) => clType === type)?.['sum'] ?? 0)
    return { ...person.rows[0], totalHours: sum(creditType.hours), totalCredit: sum(creditType.credit) }
  },
}
