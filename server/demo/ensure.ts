import type { PublicContext } from '../core/context.ts'
import type { RoadServices } from '../core/http.ts'
import { StartFault } from '../core/start-fault.ts'
import { refreshBuiltInRoles } from '../roles/grants.service.ts'
import { createSchool } from '../setup/create-school.ts'
import { firstPasswordFault } from '../setup/first-password.ts'
import { demoAccounts } from './account-list.ts'
import { demoPassword, demoSize, makeDemoSchool } from './demo-school.ts'

/**
 * Makes the demo schools where the database has no school yet and demo data is wanted; `demo2` is there to show that schools
 * never see each other. Without demo data the first school and its administrator come from the settings.
 * @returns whether the database holds the demo schools
 * @throws StartFault where there is no school and nobody said which to make
 */
export async function ensureSchools(services: RoadServices, tell: (text: string) => void): Promise<boolean> {
  const ctx: PublicContext = { ...services, origin: { requestId: 'start', ip: '127.0.0.1', agent: 'start' } }
  const { demoStudents, firstSchool, production } = services.config
  const schools = await ctx.db.selectFrom('school').select('schoolId').execute()
  if (schools.length > 0) {
    await refreshBuiltInRoles(ctx.db)
    return !production && schools.some(({ schoolId }) => schoolId === 'demo')
  }
  if (firstSchool) {
    const { schoolId, schName, username, password } = firstSchool
    const fault = firstPasswordFault(password, services.config, [schoolId, schName, username])
    if (fault) throw new StartFault(`ADMIN_PASSWORD：${fault}`)
    await createSchool(ctx, {
      schoolId,
      schName,
      admin: { username, name: '系统管理员', password, keepPassword: true },
    })
    return false
  }
  if (demoStudents === 0)
    throw new StartFault(
      '数据库中还没有学校。请运行 npm run create-school 建立学校和首位管理员，或设置 SCHOOL_ID、SCHOOL_NAME 与 ADMIN_PASSWORD（及 ADMIN_USERNAME，默认 admin）后再启动。',
    )
  tell(`正在创建演示学校（${demoStudents} 名学生）……`)
  await makeDemoSchool(ctx, 'demo', '华东示范大学', demoSize(demoStudents))
  await createSchool(ctx, {
    schoolId: 'demo2',
    schName: '第二示范学院',
    schCode: '10998',
    admin: { username: 'admin', name: '系统管理员', password: demoPassword, keepPassword: true },
  })
  return true
}

/** The demo accounts as the start prints them. */
export const demoText = (): string =>
  [
    `演示学校代码 demo（另有 demo2，账号 admin），所有账号的密码：${demoPassword}`,
    ...demoAccounts.map(({ username, role }) => `    ${username.padEnd(10)} ${role}`),
  ].join('\n')
