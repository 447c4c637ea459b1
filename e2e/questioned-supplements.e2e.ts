import { expect, test } from '@playwright/test'
import { flowCheckerType, flowStepType, flowType } from '../contract/core/codes/rules.ts'
import { publictyStatus, questionStatus, supplementStatus, supplementType } from '../contract/core/codes/programme.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { disputeApi } from '../contract/programme/disputes/disputes.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { workflowApi } from '../contract/rules/workflow/workflow.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { dayAfter, done, open, shown, signedIn, travel } from './support.ts'

/**
 * A supplement record in public notice is questioned from the public list, decided by whom the notice stage of its flow
 * names, and taken out of the notice with the reason.
 */
test.describe.configure({ mode: 'serial' })

const name = '全国大学生朗诵比赛证书（被质疑）'
const said = '获奖名单中没有该同学，证书编号查不到'
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
let lisId: string
let student: { suId: string; suiName: string; suiNumber: string }

/** The flow of records gets a stage for questions, and a record of a classmate goes through it into notice. */
test.beforeAll(async ({ baseURL }) => {
  const [admin, secretary] = [await service('admin', baseURL), await service('secretary', baseURL)]
  const { flow } = await admin.send(workflowApi.editInit, {
    wfId: (await admin.send(workflowApi.list, { wfName: '补录标准流程' })).records.find(
      ({ wfType }) => wfType === flowType.supplement,
    )!.wfId,
  })
  const { wfVersion: _, ranges: _told, steps, wfcId, ...rest } = flow
  const auditors = flow.steps.find(({ wfsCheckerType }) => wfsCheckerType === flowCheckerType.role)!.checkers
  await admin.send(workflowApi.save, {
    ...rest,
    wfcId: wfcId!,
    steps: [
      ...steps.map(({ checkerNames: __, details: ___, wfsSort: ____, ...step }) =>
        Object.fromEntries(Object.entries(step).filter(([, value]) => value !== null)),
      ),
      {
        wfsNodeName: 'PUBLICITY',
        wfsStepName: '校团委处理质疑',
        wfsStepType: flowStepType.anyOne,
        wfsCheckerType: flowCheckerType.role,
        checkers: auditors,
      },
    ],
  } as never)
  student = (await secretary.send(studentApi.list, { pageSize: 50 })).records
    .filter(({ suId }) => suId !== secretary.suId)
    .at(-5)!
  const modules = await admin.send(curriculumApi.recordingClass, { withClosed: '1' })
  const languages = modules.find(({ lsName }) => lsName === '技能特长')!
  const nodes = await admin.send(curriculumApi.recordingClass, { withClosed: '1', lsId: languages.lsId })
  const today = (await travel(0)).slice(0, 10)
  ;({ lisId } = await admin.send(supplementApi.save, {
    suId: student.suId,
    lisName: name,
    lsId: nodes.find(({ lsName }) => lsName === '语言证书')!.lsId,
    lisType: supplementType.certificate,
    lisLevel: '3',
    lisObtainDate: dayAfter(today, -20),
    certNo: 'E2E-0002',
    submit: '1',
  } as never))
  for (const username of ['secretary', 'college', 'reviewer']) {
    const checker = await service(username, baseURL)
    const { records } = await checker.send(approvalApi.supQueue, { bizName: name })
    if (records[0]) await checker.send(approvalApi.supPass, { taskIds: [records[0].taskId] })
  }
  await admin.send(supplementApi.publicise, {
    lisId,
    lisPublictySdate: today,
    lisPublictyEdate: dayAfter(today, 7),
  })
})

test('it is found in the public list by a whole number, masked, and questioned from there', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'college')
  await open(page, '/courseManagement/RecordingCourse')
  await shown(page.getByRole('link', { name: '公示名单' })).click()
  await expect(shown(page.getByRole('heading', { level: 1, name: '补录公示名单' }))).toBeVisible()
  const search = shown(page.getByRole('searchbox', { name: '按完整学号查找' }))
  await search.fill(student.suiNumber)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/suiNumber=/)
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(student.suiNumber.slice(-4))
  await expect(row).not.toContainText(student.suiNumber)
  await expect(row).not.toContainText(student.suiName)
  // what a reload is filtered by stands in its field, and goes by it
  await page.reload()
  await expect(row).toBeVisible()
  await expect(search).toHaveValue(student.suiNumber)
  await shown(page.locator('.notice-tools')).getByRole('button', { name: '清除' }).click()
  await expect(page).not.toHaveURL(/suiNumber=/)
  await expect(search).toHaveValue('')
  await row.getByRole('button', { name: '登记质疑' }).click()
  const form = page.getByRole('dialog', { name: `登记质疑：${name}` })
  await expect(form.getByText('组织方违规')).toBeHidden()
  await form.getByText('虚假参与或冒名代签', { exact: true }).click()
  const reporter = form.getByRole('combobox', { name: '质疑人', exact: true })
  await reporter.fill('王老师')
  await shown(
    page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: '王老师' }),
  ).click()
  await form.getByLabel('质疑内容').fill(said)
  await form.getByRole('button', { name: '登记', exact: true }).click()
  await expect(form).toBeHidden()

  await open(page, `/courseManagement/RecordingCourse/detail?lisId=${lisId}`)
  await shown(page.getByRole('link', { name: '1 条' })).click()
  await expect(shown(page.getByRole('heading', { level: 1, name: `质疑人员：${name}` }))).toBeVisible()
  const question = page.getByRole('row').filter({ hasText: said })
  await question.getByRole('button', { name: '受理', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '受理', exact: true }).click()
  await expect(page.getByText('已受理 1 条')).toBeVisible()
  await open(page, `/courseManagement/RecordingCourse/detail?lisId=${lisId}`)
  await expect(shown(page.getByText('质疑中', { exact: true }))).toBeVisible()
  const admin = await service('admin', baseURL)
  expect(await admin.send(supplementApi.detail, { lisId })).toMatchObject({
    lisPublictyStatus: publictyStatus.questioned,
  })
  await done(page)
})

test('whom the notice stage names decides it in the queue of questions', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'reviewer')
  await open(page, `/checkAdmin/informCheck?bizName=${encodeURIComponent(name)}`)
  const article = page.getByRole('article', { name })
  await expect(article).toContainText(said)
  await expect(article).toContainText('所属补录')
  await expect(article).toContainText('已按规定隐去')
  await article.getByRole('button', { name: '通过', exact: true }).click()
  await expect(page.getByText(/^已通过“/)).toBeVisible()
  const admin = await service('admin', baseURL)
  expect((await admin.send(disputeApi.list, { lisId })).records).toMatchObject([{ qStatus: questionStatus.upheld }])
  await done(page)
})

test('settled it leaves the notice, and the record says why', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'college')
  await open(page, '/courseManagement/Question')
  await shown(page.getByRole('link', { name })).click()
  const row = page.getByRole('row').filter({ hasText: said })
  await row.getByRole('button', { name: '处理', exact: true }).click()
  const settle = page.getByRole('dialog', { name: /^处理质疑/ })
  await settle.getByText('移出公示并驳回', { exact: true }).click()
  await settle.getByLabel('处理说明').fill('发证单位回函：查无此证')
  await settle.getByRole('button', { name: '确认处理' }).click()
  await expect(settle).toBeHidden()
  await open(page, `/courseManagement/RecordingCourse/detail?lisId=${lisId}`)
  await expect(shown(page.getByRole('note').filter({ hasText: '质疑成立：发证单位回函：查无此证' }))).toBeVisible()
  const admin = await service('admin', baseURL)
  expect((await admin.send(supplementApi.detail, { lisId })).lisStatus).toBe(supplementStatus.refused)
  await done(page)
})
