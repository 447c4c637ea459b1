import { randomBytes } from 'node:crypto'
import type { Updateable } from 'kysely'
import { personType } from '../../contract/core/codes/school.ts'
import { schoolInfoApi } from '../../contract/school/school/school-info.calls.ts'
import type { SettingValues } from '../../contract/school/school/settings.ts'
import { analyzeTables } from '../core/database/analyze.ts'
import { newId } from '../core/base/ids.ts'
import type { Tables } from '../core/database/pool.ts'
import { clientHash } from '../core/secrets/passwords.ts'
import { openAccounts, setPassword } from '../school/people/accounts.service.ts'
import { grantRole } from '../school/roles/grants.service.ts'
import { createSchool, type SchoolStart } from '../setup/create-school.ts'
import { testApp, type TestApp } from './app.ts'
import { Client, signIn } from './client.ts'

type Target = { caType: 'college' | 'major' | 'class' | 'department' | 'grade' | 'curriculum'; caTarget: string }

/** A person of a test school and the client that acts for them. */
export interface TestPerson {
  suId: string
  suiName: string
  suiNumber: string
  client: Client
}

export interface TestSchool extends SchoolStart, TestApp {
  /** The first administrator, signed in. */
  admin: Client
  /** Nobody: calls without a token. */
  nobody: Client
  /** A member of staff with a role, signed in. `targets` is the control area of that role. */
  person(
    srCode: string,
    targets?: Target[],
    fields?: { suiName?: string; suiNumber?: string; suiType?: string; suiCollegeId?: string },
  ): Promise<TestPerson>
  college(scName?: string): Promise<string>
  major(scId: string, smName?: string): Promise<string>
  schoolClass(smId: string, scId: string, fields?: { scClassName?: string; scClassGrade?: string }): Promise<string>
  /** Students of one class, without accounts' passwords. */
  students(
    count: number,
    place: { suiCollegeId: string; majorId: string; scClassId: string; suiGrade?: string },
  ): Promise<{ suId: string; suiName: string; suiNumber: string }[]>
  /** Writes something into the row of a person. */
  setPerson(suId: string, values: Updateable<Tables['person']>): Promise<void>
  department(sdName?: string): Promise<string>
  /** Changes settings of the school, as its administrator does. */
  rules(values: Partial<SettingValues>): Promise<void>
}

/** The password of every person of a test school that has one. */
export const testPassword = 'Test-2026!x'
let serial = 0
/** A short text no other test uses. */
export const unique = (): string =>
  `${process.pid.toString(36)}${(serial++).toString(36)}${randomBytes(3).toString('hex')}`

/** A school of its own for one test: nothing is shared and nothing needs cleaning. */
export async function newSchool(): Promise<TestSchool> {
  const app = await testApp()
  const { ctx, address } = app
  const schoolId = `t${unique()}`
  const start = await createSchool(ctx, {
    schoolId,
    schName: `测试大学${schoolId}`,
    admin: { username: 'admin', name: '管理员', password: testPassword, keepPassword: true },
  })
  const stamp = { schoolId, createTime: ctx.clock.now(), updateTime: ctx.clock.now() }
  const { db } = ctx

  const admin = Object.assign(await signIn(address, schoolId, 'admin', testPassword), { suId: start.adminId })

  return {
    ...app,
    ...start,
    admin,
    nobody: new Client(address, undefined),

    async person(srCode, targets = [], fields = {}) {
      const suId = newId()
      const row = {
        suiName: fields.suiName ?? `人员${unique()}`,
        suiNumber: fields.suiNumber ?? `T${unique()}`,
        suiType: fields.suiType ?? personType.teacher,
        suiCollegeId: fields.suiCollegeId ?? null,
      }
      await db
        .insertInto('person')
        .values({ ...stamp, suId, ...row })
        .execute()
      await openAccounts(ctx, schoolId, [{ suId, suiNumber: row.suiNumber, suiName: row.suiName, suType: row.suiType }])
      await setPassword(ctx, schoolId, suId, clientHash(testPassword))
      await grantRole(db, schoolId, start.roles[srCode]!, suId, targets)
      return {
        suId,
        suiName: row.suiName,
        suiNumber: row.suiNumber,
        client: Object.assign(await signIn(address, schoolId, row.suiNumber, testPassword), { suId }),
      }
    },
    async college(scName = `学院${unique()}`) {
      const scId = newId()
      await db
        .insertInto('college')
        .values({ ...stamp, scId, scName, scCode: unique() })
        .execute()
      return scId
    },
    async major(scId, smName = `专业${unique()}`) {
      const smId = newId()
      await db
        .insertInto('major')
        .values({ ...stamp, smId, smName, smCode: unique(), scId })
        .execute()
      return smId
    },
    async schoolClass(smId, scId, fields = {}) {
      const scClassId = newId()
      await db
        .insertInto('schoolClass')
        .values({ ...stamp, scClassId, scClassName: `班${unique()}`, scClassGrade: '2024', ...fields, scId, smId })
        .execute()
      return scClassId
    },
    async students(count, place) {
      const rows = Array.from({ length: count }, () => ({
        ...stamp,
        suId: newId(),
        suiType: personType.student,
        suiName: `学生${unique()}`,
        suiNumber: `S${unique()}`,
        suiGrade: '2024',
        ...place,
      }))
      for (let at = 0; at < rows.length; at += 1000)
        await db
          .insertInto('person')
          .values(rows.slice(at, at + 1000))
          .execute()
      await openAccounts(
        ctx,
        schoolId,
        rows.map(({ suId, suiNumber, suiName }) => ({ suId, suiNumber, suiName, suType: personType.student })),
      )
      if (count >= 1000) await analyzeTables(db, 'person', 'account')
      return rows.map(({ suId, suiName, suiNumber }) => ({ suId, suiName, suiNumber }))
    },
    async setPerson(suId, values) {
      await db.updateTable('person').set(values).where('schoolId', '=', schoolId).where('suId', '=', suId).execute()
    },
    async department(sdName = `部门${unique()}`) {
      const sdId = newId()
      await db
        .insertInto('department')
        .values({ ...stamp, sdId, sdName, sdCode: unique() })
        .execute()
      return sdId
    },
    async rules(values) {
      const { version } = await admin.send(schoolInfoApi.settings, {})
      await admin.send(schoolInfoApi.saveSettings, { version, values })
    },
  }
}
