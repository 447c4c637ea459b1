import { sql } from 'kysely'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'

/** Most rows of one part; nobody has more. */
const maxRows = 20_000

/** One part of what is held about a person: a title, column heads, and rows of texts. */
export interface DataPart {
  title: string
  columns: string[]
  rows: (string | number | null)[][]
}

/** Everything held about the person who asks, part by part, each from their own rows. */
export async function dataOf({ db, actor, secrets }: Context): Promise<DataPart[]> {
  const { schoolId, suId } = actor
  const own = <R>(query: ReturnType<typeof sql<R>>) => query.execute(db).then(({ rows }) => rows)
  const [person, roles, registrations, sups, ledger, credibility, received, written, sessions] = await Promise.all([
    from({ db, schoolId }, 'person as p')
      .leftJoin('college as c', withinSchool('c.scId', 'p.suiCollegeId'))
      .leftJoin('major as m', withinSchool('m.smId', 'p.majorId'))
      .leftJoin('schoolClass as k', withinSchool('k.scClassId', 'p.scClassId'))
      .select([
        'suiName',
        'suiNumber',
        'suiSex',
        'birth',
        'suiNation',
        'suiPolitical',
        'suiPhone',
        'suiIdCard',
        'suiEmail',
        'suiAddress',
        'suiDorm',
        'leagueJoinDate',
        'partyJoinDate',
        'volunteerNo',
        'suiGrade',
        'suiCredibility',
        'c.scName',
        'm.smName',
        'k.scClassName',
        'p.createTime',
        'p.updateTime',
      ])
      .where('p.suId', '=', suId)
      .executeTakeFirst(),
    own(
      sql<{
        srName: string
        grantTime: string
        endDate: string | null
      }>`
        select r."srName", u."grantTime", u."endDate"
        from "roleUser" u
        join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId"
        where u."schoolId" = ${schoolId} and u."suId" = ${suId}::uuid
        order by r."srName"
        limit ${maxRows}`,
    ),
    own(
      sql<{
        liName: string
        applyTime: string
        laStatus: string
        laSignStatus: string
        signInTime: string | null
        laResult: string
        awardName: string
        laHours: number
        laStars: number | null
        workTime: string | null
        workText: string
      }>`
        select l."liName", r."applyTime", r."laStatus", r."laSignStatus", r."signInTime", r."laResult", r."awardName",
          r."laHours", r."laStars", r."workTime", r."workText"
        from "registration" r
        join "lesson" l on l."schoolId" = r."schoolId" and l."liId" = r."liId"
        where r."schoolId" = ${schoolId} and r."suId" = ${suId}::uuid and r."delFlag" = '0'
        order by r."applyTime"
        limit ${maxRows}`,
    ),
    own(
      sql<{
        lisName: string
        lisType: string
        lisStatus: string
        lisObtainDate: string
        createTime: string
      }>`
        select "lisName", "lisType", "lisStatus", "lisObtainDate", "createTime"
        from "supplement"
        where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid and "delFlag" = '0'
        order by "createTime"
        limit ${maxRows}`,
    ),
    own(
      sql<{
        bizName: string
        clType: string
        clValue: number
        occurTime: string
        grantedAt: string
      }>`
        select "bizName", "clType", "clValue", "occurTime", "grantedAt"
        from "creditLedger"
        where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid
        order by "grantedAt", "clId"
        limit ${maxRows}`,
    ),
    own(
      sql<{
        createTime: string
        before: number
        after: number
        reason: string
      }>`
        select "createTime", "before", "after", "reason"
        from "credibilityLog"
        where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid
        order by "createTime"
        limit ${maxRows}`,
    ),
    own(
      sql<{
        iiTitle: string
        iiContent: string
        createName: string
        sendTime: string
        readTime: string | null
      }>`
        select i."iiTitle", i."iiContent", i."createName", i."sendTime", r."readTime"
        from "informationReceiver" r
        join "information" i on i."schoolId" = r."schoolId" and i."iiId" = r."iiId"
        where r."schoolId" = ${schoolId}
          and r."suId" = ${suId}::uuid
          and r."inboxDeleted" = '0'
          and i."recalled" = '0'
        order by i."sendTime"
        limit ${maxRows}`,
    ),
    own(
      sql<{
        iiTitle: string
        iiContent: string
        sendTime: string
      }>`
        select "iiTitle", "iiContent", "sendTime"
        from "information"
        where "schoolId" = ${schoolId} and "createBy" = ${suId}::uuid and "outboxDeleted" = '0'
        order by "sendTime"
        limit ${maxRows}`,
    ),
    own(
      sql<{
        createTime: string
        lastSeen: string
        ip: string
        agent: string
      }>`
        select "createTime", "lastSeen", "ip", "agent"
        from "session"
        where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid
        order by "createTime"`,
    ),
  ])
  const facts: [string, string | number | null][] = person
    ? [
        ['姓名', person.suiName],
        ['学工号', person.suiNumber],
        ['性别', labelOf('sex', person.suiSex)],
        ['出生日期', person.birth],
        ['民族', person.suiNation],
        ['政治面貌', person.suiPolitical && labelOf('political', person.suiPolitical)],
        ['手机号', unseal(person.suiPhone, secrets)],
        ['证件号码', unseal(person.suiIdCard, secrets)],
        ['邮箱', person.suiEmail],
        ['地址', person.suiAddress],
        ['宿舍', person.suiDorm],
        ['入团日期', person.leagueJoinDate],
        ['入党日期', person.partyJoinDate],
        ['志愿者编号', person.volunteerNo],
        ['学院', person.scName],
        ['专业', person.smName],
        ['班级', person.scClassName],
        ['年级', person.suiGrade],
        ['诚信分', person.suiCredibility],
        ['登录账号', actor.suLoginName],
        ['建立时间', person.createTime],
        ['更新时间', person.updateTime],
      ]
    : []
  return [
    { title: '个人资料', columns: ['项目', '内容'], rows: facts.filter(([, value]) => value !== null && value !== '') },
    {
      title: '角色',
      columns: ['角色', '授予时间', '到期日'],
      rows: roles.map((row) => [row.srName, row.grantTime, row.endDate]),
    },
    {
      title: '课程报名与结果',
      columns: [
        '课程',
        '报名时间',
        '报名状态',
        '签到',
        '签到时间',
        '结果',
        '奖项',
        '学时',
        '评价（星）',
        '提交成果时间',
        '成果说明',
      ],
      rows: registrations.map((row) => [
        row.liName,
        row.applyTime,
        labelOf('apply_status', row.laStatus),
        labelOf('sign_status', row.laSignStatus),
        row.signInTime,
        labelOf('result_status', row.laResult),
        row.awardName,
        fromHundredths(row.laHours),
        row.laStars,
        row.workTime,
        row.workText,
      ]),
    },
    {
      title: '补录',
      columns: ['名称', '类型', '状态', '获得日期', '录入时间'],
      rows: sups.map((row) => [
        row.lisName,
        labelOf('sup_type', row.lisType),
        labelOf('sup_status', row.lisStatus),
        row.lisObtainDate,
        row.createTime,
      ]),
    },
    {
      title: '学时学分台账',
      columns: ['来源', '类别', '数值', '发生时间', '入账时间'],
      rows: ledger.map((row) => [
        row.bizName,
        labelOf('credit_type', row.clType),
        fromHundredths(Number(row.clValue)),
        row.occurTime,
        row.grantedAt,
      ]),
    },
    {
      title: '诚信记录',
      columns: ['时间', '变动前', '变动后', '原因'],
      rows: credibility.map((row) => [row.createTime, row.before, row.after, row.reason]),
    },
    {
      title: '收到的消息',
      columns: ['标题', '内容', '发送人', '发送时间', '阅读时间'],
      rows: received.map((row) => [row.iiTitle, row.iiContent, row.createName, row.sendTime, row.readTime]),
    },
    {
      title: '发送的消息',
      columns: ['标题', '内容', '发送时间'],
      rows: written.map((row) => [row.iiTitle, row.iiContent, row.sendTime]),
    },
    {
      title: '登录设备',
      columns: ['登录时间', '最近使用', 'IP 地址', '浏览器'],
      rows: sessions.map((row) => [row.createTime, row.lastSeen, row.ip, row.agent]),
    },
  ]
}
