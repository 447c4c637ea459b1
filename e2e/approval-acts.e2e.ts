import { nestQuotes } from '../contract/core/quotes.ts'
import { expect, test, type Page } from '@playwright/test'
import { dataScope } from '../contract/core/codes/school.ts'
import { flowCheckerType, flowStepType } from '../contract/core/codes/rules.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { memberApi } from '../contract/school/roles/members.calls.ts'
import { roleApi } from '../contract/school/roles/roles.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { ownFlow } from './demo-flow.ts'
import { choose, done, open, settled, shown, signedIn, travel } from './support.ts'

/**
 * What a reviewer does beside deciding: asks a colleague, adds somebody and takes them off again; and an administrator
 * ends an approval.
 */
test.describe.configure({ mode: 'serial' })

const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
let course: string
let liId: string
let flow: Awaited<ReturnType<typeof ownFlow>>

test.beforeAll(async ({ baseURL }) => {
  const [admin, teacher] = [await service('admin', baseURL), await service('teacher', baseURL)]
  flow = await ownFlow(admin, '委派与减签流程', -1, async (suId) => [
    {
      wfsNodeName: 'PUBLISH',
      wfsStepName: '校团委审核',
      wfsStepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.people,
      checkers: [await suId('周雅琴')],
      allowAdd: true,
    },
    {
      wfsNodeName: 'PUBLISH',
      wfsStepName: '院系复核',
      wfsStepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.people,
      checkers: [await suId('陈志刚')],
    },
  ])
  course = `校史馆讲解 ${(await travel(0)).slice(5, 16)}`
  liId = await flow.submit(teacher, course)
})
test.afterAll(() => flow.end())

const openCase = (page: Page) => open(page, `/checkAdmin/publishCheck?case=${liId}`)
const article = (page: Page) => page.getByRole('article', { name: course, exact: true })
const chain = (page: Page) => article(page).getByRole('region', { name: '审批流程' })

/** Chooses an action behind 更多 and answers its question. */
async function act(page: Page, label: string, person: { field: string; name: string }, words?: string): Promise<void> {
  await article(page).getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: person.field }).fill(person.name)
  await choose(page, dialog.getByRole('combobox', { name: person.field }), person.name)
  // a list of several stays open until it is left
  await dialog.locator('.ant-modal-title').click()
  if (words) await dialog.getByRole('textbox').last().fill(words)
  await dialog.getByRole('button', { name: label, exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('a colleague is asked, the task taken back, asked again and answered; the reviewer decides', async ({
  browser,
}) => {
  const reviewer = await signedIn(browser, 'reviewer')
  await openCase(reviewer)
  await act(reviewer, '委派', { field: '委派给', name: '陈志刚' }, '请核实场地是否可用')
  await expect(chain(reviewer)).toContainText('陈志刚（受 周雅琴 委派）待答复')
  await expect(article(reviewer).getByRole('button', { name: '通过', exact: true })).toHaveCount(0)
  await chain(reviewer).getByRole('button', { name: '收回委派' }).click()
  await reviewer.getByRole('dialog').getByRole('button', { name: '收回委派' }).click()
  await expect(article(reviewer).getByRole('button', { name: '通过', exact: true })).toBeVisible()
  await act(reviewer, '委派', { field: '委派给', name: '陈志刚' }, '请核实场地是否可用')
  await expect(chain(reviewer)).toContainText('待答复')

  const college = await signedIn(browser, 'college')
  await openCase(college)
  await expect(article(college).getByText('周雅琴 委派您给出意见，审批仍由对方决定')).toBeVisible()
  await expect(article(college).getByText('请核实场地是否可用').first()).toBeVisible()
  await expect(article(college).getByRole('button', { name: '驳回', exact: true })).toHaveCount(0)
  await article(college).getByLabel('审批意见').fill('场地已核实，可以使用')
  await article(college).getByRole('button', { name: '提交意见' }).click()
  const dialog = college.getByRole('dialog')
  await expect(dialog.getByRole('textbox')).toHaveValue('场地已核实，可以使用')
  await dialog.getByRole('button', { name: '提交意见' }).click()
  await expect(college.getByText('已将意见提交给“周雅琴”')).toBeVisible()
  await done(college)

  await openCase(reviewer)
  await expect(chain(reviewer)).toContainText('陈志刚（受 周雅琴 委派）已答复')
  await expect(chain(reviewer)).toContainText('场地已核实，可以使用')
  await expect(article(reviewer).getByRole('button', { name: '通过', exact: true })).toBeVisible()
  await done(reviewer)
})

test('a signer is added and taken off again, and the step goes on without them', async ({ browser }) => {
  const page = await signedIn(browser, 'reviewer')
  await openCase(page)
  await act(page, '加签', { field: '加签人', name: '刘思敏' })
  await expect(chain(page)).toContainText('刘思敏')
  await chain(page).getByRole('button', { name: '减签' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('改由本人核实')
  await dialog.getByRole('button', { name: '减签', exact: true }).click()
  await expect(page.getByText('已减签“刘思敏”')).toBeVisible()
  await expect(chain(page)).toContainText('刘思敏已减签')
  await article(page).getByRole('button', { name: '通过', exact: true }).first().click()
  await expect(page.getByText(nestQuotes(`已通过“${course}”`))).toBeVisible()
  await done(page)
})

test('an administrator ends the approval for a reason, and the course is its teacher’s draft again', async ({
  browser,
}) => {
  const detail = `/courseManagement/detailCurriculumList?liId=${liId}`
  const admin = await signedIn(browser, 'admin')
  await open(admin, detail)
  await shown(admin.getByRole('button', { name: '终止审批' })).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('textbox').fill('活动改由校史馆自行举办')
  await dialog.getByRole('button', { name: '终止审批' }).click()
  await expect(admin.getByText('已终止审批')).toBeVisible()
  await expect(shown(admin.getByText('活动改由校史馆自行举办'))).toBeVisible()
  await expect(admin.getByRole('button', { name: '终止审批' })).toHaveCount(0)
  await done(admin)

  const college = await signedIn(browser, 'college')
  await open(college, `/checkAdmin/publishCheck?bizName=${encodeURIComponent(course)}`)
  await expect(shown(college.getByText('没有符合条件的事项'))).toBeVisible()
  await done(college)

  const teacher = await signedIn(browser, 'teacher')
  await open(teacher, detail)
  await expect(shown(teacher.getByText('草稿', { exact: true }))).toBeVisible()
  await expect(shown(teacher.getByText('活动改由校史馆自行举办'))).toBeVisible()
  await open(teacher, `/courseManagement/editCurriculumList?liId=${liId}`)
  await expect(shown(teacher.getByLabel('课程名称'))).toHaveValue(course)
  await done(teacher)
})

test('who may pass and not refuse is offered that alone, by buttons and by keys', async ({ browser, baseURL }) => {
  const [admin, teacher] = [await service('admin', baseURL), await service('teacher', baseURL)]
  const [viewer] = await admin.send(teacherApi.search, { search: '吴卫东' })
  const { srId } = await admin.send(roleApi.save, {
    srName: '只通过的审批人',
    dataScope: dataScope.school,
    permits: [approvalApi.publishQueue.permit, approvalApi.publishPass.permit],
  })
  await admin.send(memberApi.add, { srId, suIds: [viewer!.suId] })
  const own = await ownFlow(admin, '校领导审批流程', -2, async (suId) => [
    {
      wfsNodeName: 'PUBLISH',
      wfsStepName: '校领导审批',
      wfsStepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.people,
      checkers: [await suId('吴卫东')],
    },
  ])
  const name = `校史馆开放日 ${(await travel(0)).slice(5, 16)}`
  const id = await own.submit(teacher, name)

  const page = await signedIn(browser, 'viewer')
  await open(page, `/checkAdmin/publishCheck?case=${id}`)
  const shownCase = page.getByRole('article', { name, exact: true })
  await expect(shownCase.getByRole('button', { name: '通过', exact: true })).toBeVisible()
  await expect(shownCase.getByRole('button', { name: '驳回', exact: true })).toHaveCount(0)
  const dialog = page.getByRole('dialog')
  await settled(page)
  await page.keyboard.press('r')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('a')
  await dialog.getByRole('button', { name: '通过', exact: true }).click()
  await expect(page.getByText(nestQuotes(`已通过“${name}”`))).toBeVisible()
  await done(page)

  await own.end()
  await admin.send(memberApi.remove, { srId, suIds: [viewer!.suId] })
  await admin.send(roleApi.remove, { ids: [srId] })
})
