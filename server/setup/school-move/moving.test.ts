import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { operatorApi } from '../../../contract/school/runtime/schools.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, testPassword, type TestSchool } from '../../testing/school.ts'
import { clientHash } from '../../core/secrets/passwords.ts'

const stands = async ({ ctx, schoolId }: TestSchool, state: 'moving' | 'moved' | '') => {
  await sql`
    update "school"
    set "suspendedTime" = ${state === '' ? null : ctx.clock.now()}::timestamptz, "moveState" = ${state},
      "movedTo" = ${state === '' ? '' : 'https://neu.example.edu.cn'}
    where "schoolId" = ${schoolId}`.execute(ctx.db)
  await sleep(actorLifetime)
}

test('while a school moves its people look and write nothing; afterwards it says where it is', async () => {
  const school = await newSchool()
  const signIn = () =>
    school.nobody.ask(sessionApi.login, {
      schoolId: school.schoolId,
      username: 'admin',
      password: clientHash(testPassword),
    })
  const write = () => school.admin.ask(collegeApi.save, { scName: '新学院', scCode: 'X1' })
  await school.college('旧学院')

  await stands(school, 'moving')
  expect((await school.admin.send(collegeApi.list, {})).records).toHaveLength(1)
  expect(await write()).toMatchObject({ code: 300, msg: expect.stringContaining('正在迁移') as string })
  expect(await signIn()).toMatchObject({ code: 300, msg: expect.stringContaining('正在迁移') as string })
  expect((await school.admin.send(collegeApi.list, {})).records).toHaveLength(1)

  await stands(school, 'moved')
  for (const reply of [await school.admin.ask(collegeApi.list, {}), await write(), await signIn()])
    expect(reply).toMatchObject({ code: 300, msg: '学校已迁往 https://neu.example.edu.cn，请到那里登录' })

  const operator = await newSchool()
  const { config } = operator.services
  const { operators } = config
  config.operators = [`${operator.schoolId}/admin`]
  atFileEnd(async () => void (config.operators = operators))
  await sleep(actorLifetime)
  expect(await operator.admin.ask(operatorApi.resume, { schoolId: school.schoolId })).toMatchObject({
    code: 300,
    msg: expect.stringContaining('在这里恢复会有两份数据') as string,
  })

  await stands(school, '')
  expect((await write()).code).toBe(200)
})
