import { expect, test } from '@playwright/test'
import type { Input } from '../contract/core/call.ts'
import { applyWay, lessonForm, lessonStatus } from '../contract/core/codes/programme.ts'
import { curriculumType } from '../contract/core/codes/rules.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { planCalendarApi } from '../contract/school/school/plan-calendar.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { dayAfter, done, open, shown, signedIn, travel } from './support.ts'

/**
 * A course is refused, put right and submitted again: its reviewer sees what is different, and what is risky about it.
 */
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')

test('what came back is compared with what was returned, and its risks are told', async ({ browser, baseURL }) => {
  const [teacher, admin] = [await service('teacher', baseURL), await service('admin', baseURL)]
  const now = await travel(0)
  const day = dayAfter(now, 20)
  await admin.send(planCalendarApi.savePlace, { plName: '实训楼 101', plCapacity: 40 })
  await admin.send(planCalendarApi.saveExamWeek, { ewName: '期末考试周', ewStart: day, ewEnd: dayAfter(day, 6) })
  const leader = (await teacher.send(teacherApi.search, { search: '王老师' }))[0]!
  const node = (await teacher.send(curriculumApi.all, { lsType: curriculumType.lessons }))[0]!
  const form: Input<typeof lessonApi.save> = {
    liName: `退回再提交 ${now.slice(5, 16)}`,
    lsId: node.children[0]?.lsId ?? node.lsId,
    liLevel: '6',
    liIntro: '参观企业，了解岗位。',
    liPrincipalId: leader.suId,
    placeText: '大学生活动中心',
    applyWay: applyWay.importedList,
    quota: 30,
    startTime: `${day} 14:00:00`,
    endTime: `${day} 16:00:00`,
    submit: '1',
  }
  const { liId } = await teacher.send(lessonApi.save, form)
  let who = ''
  for (const username of ['reviewer', 'college', 'counselor', 'admin']) {
    const checker = await service(username, baseURL)
    const { records } = await checker.send(approvalApi.publishQueue, { bizName: form.liName })
    const task = records.find(({ bizId }) => bizId === liId)
    if (!task) continue
    await checker.send(approvalApi.publishRefuse, { taskIds: [task.taskId], opinion: '请写明场次与校外安排' })
    who = username
    break
  }
  expect(who).not.toBe('')
  const { version, liStatus } = await teacher.send(lessonApi.details, { liId })
  expect(liStatus).toBe(lessonStatus.publishRefused)
  await teacher.send(lessonApi.save, {
    ...form,
    liId,
    version,
    placeText: '实训楼101',
    quota: 60,
    liForm: lessonForm.offCampus,
    liIntro: '参观企业，了解岗位，听两位校友讲求职。',
    sessions: [
      { startTime: `${day} 14:00:00`, endTime: `${day} 15:00:00`, placeText: '实训楼101' },
      { startTime: `${day} 15:00:00`, endTime: `${day} 16:00:00`, placeText: '实训楼 102' },
    ],
  })
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const page = await signedIn(browser, who, { viewport })
    await open(page, `/checkAdmin/publishCheck?liId=${liId}`)
    const item = shown(page.getByRole('list', { name: '发布审批' }))
      .getByRole('listitem')
      .filter({ hasText: form.liName })
    await item.first().click()
    const article = page.getByRole('article', { name: form.liName, exact: true })
    await expect(article.getByRole('heading', { name: '与上次退回时相比' })).toBeVisible()
    const rows = article.locator('table.differences').getByRole('row')
    await expect(rows.filter({ hasText: '活动地点' })).toContainText('大学生活动中心')
    await expect(rows.filter({ hasText: '活动地点' })).toContainText('实训楼101')
    await expect(rows.filter({ hasText: '名额' })).toContainText('30 人')
    await expect(rows.filter({ hasText: '场次' })).toContainText('15:00 至 16:00 实训楼 102')
    await expect(article).toContainText('名额 60 人，超过实训楼 101可容纳的 40 人')
    await expect(article).toContainText('活动时间与期末考试周')
    await expect(article).toContainText('校外活动尚未上传安全预案')
    await done(page)
  }
})
