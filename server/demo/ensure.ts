import type { PublicContext } from '../core/request/context.ts'
import { stopping } from '../core/http/health.ts'
import type { AppServices } from '../core/http/http.ts'
import { StartFault } from '../core/base/start-fault.ts'
import { refreshBuiltInRoles } from '../school/roles/grants.service.ts'
import { createSchool } from '../setup/create-school.ts'
import { firstPasswordFault } from '../setup/first-password.ts'
import { asStartFault } from '../setup/open-services.ts'
import { rebuildSchool } from '../outcomes/statistics/refresh.service.ts'
import { demoPassword } from './account-list.ts'
import { demoSize, makeDemoSchool } from './demo-school.ts'

/** What a start found or made: the demo schools, schools of other kinds, or none at all. */
export type Schools = 'demo' | 'own' | 'none'

/** How the start is told about. */
export interface Teller {
  /** What is being done now; the next text takes its place. */
  doing: (text: string) => void
  /** What stays to be read. */
  say: (text: string) => void
}

/** Note in the database that the demo schools have been begun and are not finished. */
const unfinished = 'demoUnfinished'

/**
 * Makes the demo schools where the database has no school yet and demo data is wanted; `demo2` is there to show that
 * schools never see each other. What an earlier start left unfinished is finished. A demo school that cannot be made is
 * told and keeps nobody from starting. Without demo data the first school and its administrator come from the settings.
 * @throws StartFault in production where there is no school and nobody said which to make
 */
export async function ensureSchools(services: AppServices, teller: Teller): Promise<Schools> {
  const ctx: PublicContext = { ...services, origin: { requestId: 'start', ip: '127.0.0.1', agent: 'start' } }
  const { demoStudents, firstSchool, production } = services.config
  const schools = (await ctx.db.selectFrom('school').select('schoolId').execute()).map(({ schoolId }) => schoolId)
  const isBegun =
    (await ctx.db.selectFrom('installation').where('inKey', '=', unfinished).select('inKey').execute()).length > 0
  const hasDemo = !production && schools.includes('demo')
  if (schools.length > 0) await refreshBuiltInRoles(ctx.db)
  if (schools.length > 0 && !(isBegun && hasDemo)) {
    // schools were made in another way since: what was begun is not wanted any more
    if (isBegun && !production) await forget(ctx)
    return hasDemo ? 'demo' : 'own'
  }
  if (schools.length === 0 && firstSchool) {
    await makeFirstSchool(ctx, firstSchool)
    return 'own'
  }
  if (schools.length === 0 && production)
    throw new StartFault(
      '数据库中还没有学校。请运行 dekt create-school 建立学校和首位管理员，或设置 SCHOOL_ID、SCHOOL_NAME 与 ADMIN_PASSWORD（及 ADMIN_USERNAME，默认 admin）后再启动。',
    )
  if (schools.length === 0 && demoStudents === 0) return 'none'
  if (isBegun) teller.say('上次启动没有建完演示学校，现在接着完成')
  return makeDemo(ctx, teller, schools)
}

async function makeFirstSchool(
  ctx: PublicContext,
  { schoolId, schName, username, password }: NonNullable<AppServices['config']['firstSchool']>,
): Promise<void> {
  const fault = firstPasswordFault(password, ctx.config, [schoolId, schName, username])
  if (fault) throw new StartFault(`ADMIN_PASSWORD：${fault}`)
  const admin = { username, name: '系统管理员', password, keepPassword: true }
  await createSchool(ctx, { schoolId, schName, admin })
}

/**
 * Makes what is missing of the two demo schools. Each step is kept whole or not at all, and a note stays in the
 * database until the last one is done, so that a start that was killed between them is finished by the next.
 */
async function makeDemo(ctx: PublicContext, teller: Teller, there: readonly string[]): Promise<Schools> {
  const students = ctx.config.demoStudents
  let hasDemo = there.includes('demo')
  try {
    await ctx.db
      .insertInto('installation')
      .values({ inKey: unfinished, inValue: ctx.clock.now() })
      .onConflict((both) => both.column('inKey').doNothing())
      .execute()
    if (!hasDemo) {
      const what = `正在创建演示学校（${students} 名学生）`
      teller.doing(`${what}……`)
      await makeDemoSchool(ctx, 'demo', '华东示范大学', demoSize(students), {
        progress: (part, at, of) => teller.doing(`${what} ${at}/${of}：${part}`),
      })
      hasDemo = true
    } else {
      teller.doing('正在计算演示学校的统计……')
      await rebuildSchool(ctx, 'demo')
    }
    if (!there.includes('demo2'))
      await createSchool(ctx, {
        schoolId: 'demo2',
        schName: '第二示范学院',
        schCode: '10998',
        admin: { username: 'admin', name: '系统管理员', password: demoPassword, keepPassword: true },
      })
    await forget(ctx)
    return 'demo'
  } catch (error) {
    // interrupted by the person, or a trouble of the place that no start gets over
    if (stopping.now || asStartFault(error, ctx.config) instanceof StartFault) throw error
    ctx.log.error({ err: error }, 'the demo schools could not be made')
    // what is committed counts: the school may be there while its statistics or the second school are not
    hasDemo = (await ctx.db.selectFrom('school').where('schoolId', '=', 'demo').select('schoolId').execute()).length > 0
    teller.say(faultText(ctx, error as Error, hasDemo))
    return hasDemo ? 'demo' : 'none'
  }
}

const forget = (ctx: PublicContext) => ctx.db.deleteFrom('installation').where('inKey', '=', unfinished).execute()

const faultText = ({ config }: PublicContext, { message }: Error, hasDemo: boolean): string =>
  [
    '',
    `  演示学校没有建完：${message.split('\n')[0]!.slice(0, 200)}`,
    hasDemo
      ? '  学校 demo 的数据已经完整，可以登录；统计或第二所学校 demo2 还缺，下次启动会补上。'
      : '  已写入的部分全部撤销，没有留下残余；服务照常启动，只是还没有学校可以登录。',
    `  原因详见${config.logFile ? `日志 ${config.logFile}` : '上面的日志'}`,
    '  接下来可以：',
    '    再次 npm start，会重新尝试',
    ...(hasDemo ? [] : ['    DEMO_STUDENTS=0 npm start，不要演示学校，用 npm run create-school 建立自己的学校']),
    '    DATA_DIR=./data2 npm start，换一个新的数据目录从头开始',
  ].join('\n')
