import { expect, test, type Locator, type Page } from '@playwright/test'
import { yesNo } from '../contract/core/codes/platform.ts'
import { applyStatus, applyUnit, applyWay, lessonStatus } from '../contract/core/codes/programme.ts'
import { quotaUnit, teamRole } from '../contract/core/codes/teams.ts'
import { curriculumType } from '../contract/core/codes/rules.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { teamApi, type TeamRow } from '../contract/programme/lessons/teams.calls.ts'
import { awardApi } from '../contract/rules/awards/awards.calls.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { evaluationApi } from '../contract/rules/evaluation/evaluation.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { batch, participants, tickAll } from './actions.ts'
import { notice } from './locators.ts'
import { dayAfter, done, open, shown, signedIn, travel, travelTo } from './support.ts'

/**
 * Teams of a course that draws lots: founded, joined by code, confirmed, drawn, signed in, rated as one, and what each
 * member has of it in the ledger.
 */
test.describe.configure({ mode: 'serial' })

let course: string
let liId: string
let day: string
let students: { suId: string; suiName: string; suiNumber: string }[]
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
const row = (page: Page, text: string) => shown(page.getByRole('row').filter({ hasText: text }))
/** Shows the people or the teams of a course, and waits for them: both name the teams. */
async function part(page: Page, name: '人员名单' | '队伍'): Promise<void> {
  const parts = shown(page.getByRole('radiogroup', { name: '名单或队伍' }))
  await parts.getByText(name, { exact: true }).click()
  await expect(parts.getByRole('radio', { name, exact: true })).toBeChecked()
}

/** Presses an action of a row, whether it stands open or behind 更多. */
async function rowAction(page: Page, of: Locator, name: string): Promise<void> {
  const button = of.getByRole('button', { name, exact: true })
  await expect(of).toBeVisible()
  if (await button.isVisible()) return button.click()
  await of.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Chooses a student by number in a field of a dialog that finds people. */
async function choosePerson(page: Page, dialog: Locator, label: string, number: string): Promise<void> {
  const field = dialog.getByRole('combobox', { name: label, exact: true })
  await field.click()
  await field.fill(number)
  await shown(
    page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByText(new RegExp(number)),
  ).click()
}

async function approve(baseURL: string | undefined, of: 'publish' | 'result', until: string): Promise<void> {
  const teacher = await service('teacher', baseURL)
  const [queue, pass] =
    of === 'publish'
      ? [approvalApi.publishQueue, approvalApi.publishPass]
      : [approvalApi.resultQueue, approvalApi.resultPass]
  for (let round = 0; round < 5; round++) {
    if ((await teacher.send(lessonApi.details, { liId })).liStatus === until) return
    for (const username of ['college', 'reviewer', 'admin']) {
      const checker = await service(username, baseURL)
      const { records } = await checker.send(queue, { bizName: course })
      if (records.length > 0) await checker.send(pass, { taskIds: records.map(({ taskId }) => taskId) })
    }
  }
}

test.beforeAll(async ({ baseURL }) => {
  const [teacher, admin] = [await service('teacher', baseURL), await service('admin', baseURL)]
  const now = await travel(0)
  course = `智能车组队竞赛 ${now.slice(5, 16)}`
  day = dayAfter(now, 3)
  const leader = (await teacher.send(teacherApi.search, { search: '王老师' }))[0]!
  const tree = await teacher.send(curriculumApi.all, { lsType: curriculumType.lessons })
  const { lsId } = tree[0]!.children.at(-1)!
  // the rule of the course shares out what a team of two gets
  await admin.send(evaluationApi.add, {
    lsId,
    levels: [{ esLessonLevel: '6', baseHours: '2' }],
    awardRules: [{ adName: '一等奖', hours: '1' }],
    teamRules: [{ size: 2, ratios: ['0.6', '0.4'] }],
  })
  const template = (await admin.send(awardApi.select, {})).find(({ atName }) => atName === '等级奖')!
  liId = (
    await teacher.send(lessonApi.save, {
      liName: course,
      lsId,
      liLevel: '6',
      liIntro: '两人一队，现场调车竞速。',
      liPrincipalId: leader.suId,
      placeText: '工程训练中心',
      applyWay: applyWay.draw,
      applyUnit: applyUnit.team,
      teamMin: 2,
      teamMax: 3,
      quotaUnit: quotaUnit.team,
      quota: 1,
      waitlistOn: yesNo.yes,
      atId: template.atId,
      applyStart: `${dayAfter(day, -4)} 08:00:00`,
      applyEnd: `${dayAfter(day, -1)} 12:00:00`,
      startTime: `${day} 14:00:00`,
      endTime: `${day} 16:00:00`,
      submit: '1',
    })
  ).liId
  await approve(baseURL, 'publish', lessonStatus.publishPassed)
  await teacher.send(lessonApi.publish, { liId })
  // students who are free at that hour: each is asked by founding a team that is dissolved again
  students = []
  const { records } = await admin.send(studentApi.list, { pageSize: 50, suiStatus: studentStatus.enrolled })
  for (const { suId, suiName, suiNumber } of records) {
    if (students.length === 4) break
    const reply = await teacher.ask(teamApi.add, { liId, teamName: `试${suiNumber}`.slice(0, 30), captainId: suId })
    if (reply.code !== 200) continue
    await teacher.send(teamApi.dissolve, { teamId: reply.data.teamId })
    students.push({ suId, suiName, suiNumber })
  }
  expect(students).toHaveLength(4)
})

test('a team is founded, joined by its code, and confirmed once nothing is lacking', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'teacher')
  await participants(page, liId)
  await page.getByRole('button', { name: '新建队伍', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /新建队伍/ })
  // a dialog that opens takes the cursor to its first field
  await expect(dialog.getByRole('textbox', { name: '队名' })).toBeFocused()
  await dialog.getByRole('textbox', { name: '队名' }).fill('星火队')
  await choosePerson(page, dialog, '队长', students[0]!.suiNumber)
  await dialog.getByRole('button', { name: '新建队伍', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(notice(page, /队伍已建立，邀请码 [A-Z2-9]{8}/)).toBeVisible()
  const team = row(page, '星火队')
  await expect(team.getByText('还差 1 人（每队 2 至 3 人）')).toBeVisible()
  const joinCode = (await team.locator('code').textContent())!
  await page.getByRole('button', { name: '凭邀请码入队', exact: true }).click()
  const join = page.getByRole('dialog', { name: /邀请码/ })
  await expect(join.getByRole('textbox', { name: '邀请码' })).toBeFocused()
  await join.getByRole('textbox', { name: '邀请码' }).fill(joinCode.toLowerCase())
  await join.getByRole('textbox', { name: '学生学号' }).fill(students[1]!.suiNumber)
  await join.getByRole('button', { name: '凭邀请码入队', exact: true }).click()
  await expect(join).toBeHidden()
  await expect(team.getByText('可以确认')).toBeVisible()
  await rowAction(page, team, '确认组队')
  await page.getByRole('dialog').getByRole('button', { name: '确认组队', exact: true }).click()
  await expect(notice(page, '2 人已报名：待审核')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown(page.getByRole('button', { name: '导出', exact: true })).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^队伍_.*\.xlsx$/)
  await part(page, '人员名单')
  await expect(row(page, students[1]!.suiNumber).getByText('星火队')).toBeVisible()
  await done(page)
  const teacher = await service('teacher', baseURL)
  const second = await teacher.send(teamApi.add, {
    liId,
    teamName: '燎原队',
    captainId: students[2]!.suId,
    suIds: [students[3]!.suId],
  })
  await teacher.send(teamApi.confirm, { teamId: second.teamId })
})

const winnerOf = async (baseURL: string | undefined): Promise<TeamRow> =>
  (await (await service('teacher', baseURL)).send(teamApi.view, { liId })).records.find(
    ({ laStatus }) => laStatus === applyStatus.accepted,
  )!

test('lots are drawn among teams: one gets the place, the other waits as a whole', async ({ browser, baseURL }) => {
  await travelTo(`${dayAfter(day, -1)} 13:00:00`)
  const page = await signedIn(browser, 'teacher')
  await participants(page, liId)
  await page.getByRole('button', { name: '抽签', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: /^抽签/ })
  await expect(drawer.getByText('2 队')).toBeVisible()
  await drawer.getByRole('button', { name: '开始抽签' }).click()
  await page.locator('.ant-popconfirm').getByRole('button', { name: '抽签', exact: true }).click()
  await expect(notice(page, '已抽签：录取 2 人，候补 2 人')).toBeVisible()
  await expect(drawer.getByRole('row')).toHaveCount(3)
  await page.keyboard.press('Escape')
  await part(page, '队伍')
  const winner = await winnerOf(baseURL)
  await expect(row(page, winner.teamName).getByText('已通过')).toBeVisible()
  await expect(row(page, winner.teamName === '星火队' ? '燎原队' : '星火队').getByText('第 1 位')).toBeVisible()
  await done(page)
})

test('on the day each signs in, and afterwards the team wins at once', async ({ browser, baseURL }) => {
  await travelTo(`${day} 14:05:00`)
  const winner = await winnerOf(baseURL)
  const page = await signedIn(browser, 'teacher')
  await open(page, `/courseManagement/CurriculumList/Participants?liId=${liId}&laStatus=1`)
  await expect(row(page, winner.members[1]!.suiNumber)).toBeVisible()
  await tickAll(page)
  await batch(page, '签到')
  await expect(row(page, winner.members[1]!.suiNumber).getByText('已签到')).toBeVisible()
  await done(page)
  await travelTo(`${day} 16:30:00`)
  const later = await signedIn(browser, 'teacher')
  await participants(later, liId)
  await part(later, '队伍')
  await rowAction(later, row(later, winner.teamName), '整队评定')
  const dialog = later.getByRole('dialog', { name: /整队评定/ })
  await dialog.getByText('获奖', { exact: true }).click()
  await dialog.getByRole('combobox', { name: '奖项' }).click()
  await shown(
    later
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: '一等奖' }),
  ).click()
  // the second of the team ranks first
  await dialog.getByRole('button', { name: `上移${winner.members[1]!.suiName}` }).click()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(notice(later, '已评定 2 人')).toBeVisible()
  await expect(dialog).toBeHidden()
  await done(later)
  const { members } = await winnerOf(baseURL)
  expect(members.map(({ suId, awardName, laHours }) => [suId, awardName, laHours])).toEqual([
    [winner.members[1]!.suId, '一等奖', '1.8'],
    [winner.members[0]!.suId, '一等奖', '1.2'],
  ])
  expect(members[0]!.teamRole).toBe(winner.members[1]!.suId === winner.captainId ? teamRole.captain : teamRole.member)
})

test('the ledger explains the share of each in brackets', async ({ browser, baseURL }) => {
  const [teacher, admin] = [await service('teacher', baseURL), await service('admin', baseURL)]
  await teacher.send(lessonApi.resultAudit, { liId })
  await approve(baseURL, 'result', lessonStatus.resultPassed)
  await admin.send(lessonApi.publicty, {
    liId,
    liPublictySdate: `${day} 17:00:00`,
    liPublictyEdate: `${dayAfter(day, 6)} 23:59:59`,
  })
  await travelTo(`${dayAfter(day, 9)} 09:00:00`)
  await expect
    .poll(async () => (await (await service('admin', baseURL)).send(lessonApi.details, { liId })).liStatus, {
      timeout: 30_000,
    })
    .toBe(lessonStatus.completed)
  const { records } = await (
    await service('admin', baseURL)
  ).send(registrationApi.view, { liId, laStatus: applyStatus.accepted, pageSize: 50 })
  const first = records.find(({ laHours }) => laHours === '1.8')!
  const page = await signedIn(browser, 'admin')
  await participants(page, liId)
  await rowAction(page, row(page, first.suiNumber), '学时去哪了')
  const trace = page.getByRole('dialog', { name: /学时去哪了/ })
  await expect(trace.getByText(/（基础 2 学时 ＋ 一等奖 1）× 2 人团队第 1 位 0\.6 ＝ 1\.8 学时/).first()).toBeVisible()
  await done(page)
})
