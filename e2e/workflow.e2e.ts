import { expect, test, type Locator, type Page } from '@playwright/test'
import { pickedUp } from './configuration-actions.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

/**
 * How a school arranges its approvals: the editor, by mouse and by keyboard; versions; the sandbox and the map; two
 * administrators at once.
 */
test.describe.configure({ mode: 'serial' })

const home = '/basicConfig/ProcessManagement'
const made = '国际级课程流程（键盘）'

/** Moves the focus forward until it stands where it is wanted, as somebody without a mouse does. */
async function tabTo(page: Page, wanted: Locator, maxTabs = 80): Promise<void> {
  for (let at = 0; at < maxTabs; at++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the keyboard does not reach it')
}
const steps = (page: Page, stage: string) =>
  shown(page.getByRole('region', { name: `${stage}环节` })).locator('[data-step]')
const verdict = (page: Page) => shown(page.locator('.verdict'))
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
/** A field of the form in sight: the filters of a list may be called alike. */
const field = (page: Page, label: string) => shown(page.locator('.form-body').getByLabel(label))
/** Opens the editor of a flow from the list. */
async function openFlow(page: Page, name: string): Promise<void> {
  await open(page, `${home}?pageSize=50`)
  await rowOf(page, name).getByRole('link', { name, exact: true }).click()
  await expect(shown(page.getByRole('heading', { name: `编辑流程：${name}` }))).toBeVisible()
}

test('a flow is made with the keyboard alone', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${home}/AddProcessManagement?wfType=1`)
  // nothing is found right before there is a step
  await expect(verdict(page)).toContainText('还没有审批步骤')
  await expect(verdict(page)).not.toContainText('结果将改变的样例')
  await tabTo(page, field(page, '流程名称'))
  await page.keyboard.type(made)
  await tabTo(page, field(page, '适用级别'))
  await page.keyboard.type('国际')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(shown(page.getByTitle('国际级', { exact: true }))).toBeVisible()

  for (const name of ['校团委初审', '校团委终审']) {
    await tabTo(page, page.getByRole('button', { name: '在发布环节添加步骤' }))
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await tabTo(page, drawer.getByLabel('步骤名称'))
    await page.keyboard.type(name)
    await tabTo(page, drawer.getByLabel('审批角色'))
    await page.keyboard.type('校级审核员')
    const choices = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
    await expect(choices).toHaveText([/校级审核员/])
    await expect(choices).toHaveClass(/option-active/)
    await page.keyboard.press('Enter')
    await expect(drawer.getByTitle('校级审核员')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(choices).toBeHidden()
    await tabTo(page, drawer.getByRole('button', { name: '确定' }))
    await page.keyboard.press('Enter')
    await expect(drawer).toBeHidden()
  }
  await expect(steps(page, '发布')).toContainText(['校团委初审', '校团委终审'])

  // the new step has the focus; it is moved up, and back down by its handle
  await expect(steps(page, '发布').nth(1)).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(steps(page, '发布')).toContainText(['校团委终审', '校团委初审'])
  await tabTo(page, page.getByRole('button', { name: '拖动校团委终审' }))
  await page.keyboard.press('Space')
  await pickedUp(page, '校团委终审')
  await page.keyboard.press('ArrowDown')
  await expect(steps(page, '发布').first()).toContainText('校团委初审')
  await page.keyboard.press('Space')
  await expect(steps(page, '发布')).toContainText(['校团委初审', '校团委终审'])

  await expect(verdict(page)).toContainText('校验通过')
  await expect(shown(page.getByRole('list', { name: '流程图' }))).toContainText(/校团委初审.*校团委终审/)
  await tabTo(page, page.getByRole('button', { name: '保存', exact: true }))
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${home}`)
  await expect(rowOf(page, made)).toContainText(/课程流程.*启用.*国际级/)
  await done(page)
})

test('its copy shows the conflict where it arises, and is put right', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${home}?wfName=${encodeURIComponent(made)}`)
  await rowOf(page, made).getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '克隆' }).click()
  await expect(shown(page.getByRole('heading', { name: '克隆流程' }))).toBeVisible()
  await expect(page.getByRole('navigation', { name: '已打开的页签' }).getByText(`克隆 · ${made}`)).toBeVisible()
  const ranges = page.locator('.form-section').filter({ hasText: '适用范围' })
  await expect(ranges.getByRole('alert')).toContainText(`${made}：全部角色 · 全部课程体系 · 国际级`)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(shown(page.locator('.notice-warning'))).toContainText('适用范围重叠')

  await field(page, '流程名称').fill('国家级课程流程')
  await page.getByTitle('国际级', { exact: true }).locator('.ant-select-selection-item-remove').click()
  await choose(page, field(page, '适用级别'), '国家级')
  await page.keyboard.press('Escape')
  await expect(ranges.getByRole('alert')).toBeHidden()

  // a step is dragged below another one, and one is copied to another stage
  const [first, second] = [steps(page, '发布').nth(0), steps(page, '发布').nth(1)]
  await second.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const from = (await first.getByRole('button', { name: '拖动校团委初审' }).boundingBox())!
  const to = (await second.boundingBox())!
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y + from.height + 4, { steps: 4 })
  await pickedUp(page, '校团委初审')
  await page.mouse.move(from.x + 10, to.y + to.height - 4, { steps: 8 })
  await expect(first).toContainText('校团委终审')
  await page.mouse.up()
  await expect(steps(page, '发布')).toContainText(['校团委终审', '校团委初审'])
  await page.getByRole('button', { name: '复制“校团委初审”' }).click()
  await page.getByRole('menuitem', { name: '复制到结果环节' }).click()
  await expect(steps(page, '结果')).toContainText(['校团委初审'])
  await page.getByRole('button', { name: '存为草稿' }).click()
  // back where one came from, with its filter
  await page.waitForURL(`**${home}?**`)
  await open(page, home)
  await expect(rowOf(page, '国家级课程流程')).toContainText('草稿')
  await done(page)
})

test('leaving with changes asks', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await openFlow(page, made)
  await field(page, '流程说明').fill('改到一半')
  await page
    .getByRole('navigation', { name: '已打开的页签' })
    .getByRole('button', { name: `关闭${made}` })
    .click()
  await expect(page.getByRole('dialog')).toContainText('有未保存的内容')
  await page.getByRole('dialog').getByRole('button', { name: '继续编辑' }).click()
  await expect(field(page, '流程说明')).toHaveValue('改到一半')
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click()
  await page.waitForURL(`**${home}**`)
  await done(page)
})

test('what runs keeps its version; the flow cannot be deleted meanwhile', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await openFlow(page, '院级课程流程')
  await expect(shown(page.getByText(/第 1 版，\d+ 个审批正在按启动时的版本运行/))).toBeVisible()
  await page.getByRole('button', { name: '编辑“院系团委审批”' }).click()
  const drawer = page.getByRole('dialog')
  await choose(page, drawer.getByLabel('驳回时可退回到'), '发起人或上一步')
  await drawer.getByText('按工作日').click()
  await drawer.getByLabel('工作日数').fill('3')
  await drawer.getByRole('button', { name: '确定' }).click()
  await expect(drawer).toBeHidden()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(shown(page.getByText('已保存为第 2 版，运行中的审批不受影响'))).toBeVisible()
  await page.waitForURL(`**${home}**`)

  const row = rowOf(page, '院级课程流程')
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '历史版本' }).click()
  const versions = page.getByRole('dialog').getByRole('listitem')
  await expect(versions.filter({ hasText: '第 2 版' })).toContainText(
    /当前.*步骤：发布 · 院系团委审批.*72 小时内处理.*3 个工作日内处理/,
  )
  await expect(versions.filter({ hasText: '第 1 版' })).toContainText(/\d+ 个审批按此版运行/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await expect(page.getByRole('dialog')).toContainText(/“院级课程流程”不能删除有 \d+ 个审批正在按该流程运行/)
  await page.getByRole('button', { name: '知道了' }).click()
  await expect(row).toBeVisible()

  // the default flow is not stopped without a word on what would be refused from then on
  const standing = rowOf(page, '补录标准流程')
  await standing.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '停用' }).click()
  const asked = page.getByRole('dialog', { name: '停用' })
  await expect(asked).toContainText(/没有其他流程可以接替，提交审批将被拒绝.*现有 \d+ 项课程或补录还要提交审批/)
  await asked.getByRole('button', { name: '取消' }).click()

  // nor by the switch in its editor: it is told there, by the check, and once more before it is saved
  await openFlow(page, '补录标准流程')
  await expect(verdict(page)).toContainText('校验通过')
  await field(page, '状态').click()
  await expect(shown(page.locator('.form-body')).getByText('没有其他流程可以接替，提交审批将被拒绝')).toBeVisible()
  await expect(verdict(page)).toContainText(/流程停用：新的申请不按本流程审批.*尚无流程覆盖的范围/)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  const question = page.getByRole('dialog', { name: '停用该流程，确认保存？' })
  await expect(question).toContainText(/停用后新的申请不再按该流程审批.*没有其他流程可以接替/)
  await question.getByRole('button', { name: '返回修改' }).click()
  await field(page, '状态').click()
  await expect(shown(page.locator('.form-body')).getByText('没有其他流程可以接替')).toHaveCount(0)
  await expect(verdict(page)).toContainText('校验通过')
  await done(page)
})

test('a case is tried out, kept as a sample, and watched when a flow changes', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${home}/FlowSandbox`)
  const person = page.getByLabel('发起人')
  await person.click()
  await person.fill('王老师')
  await shown(page.locator('.ant-select-item-option').filter({ hasText: '王老师' })).click()
  const system = page.getByLabel('课程体系')
  await system.click()
  await system.fill('主题教育')
  await shown(page.locator('.ant-select-tree-title').filter({ hasText: '主题教育' })).click()
  await choose(page, page.getByLabel('级别'), '国际级')
  await page.getByLabel('学分').fill('0.5')
  await page.getByRole('button', { name: '试运行' }).click()
  const result = page.getByRole('region', { name: '结果' })
  await expect(result.getByRole('link', { name: made, exact: true })).toBeVisible()
  await expect(result).toContainText(/可以提交.*校团委初审.*周雅琴.*3 个工作日未处理则催办/)
  await result.getByText(/其他流程为何没有采用/).click()
  await expect(result).toContainText('院级课程流程：级别不在适用范围内')
  await page.getByRole('button', { name: '存为样例' }).click()
  await page.getByLabel('样例名称').fill('国际级主题教育')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(shown(page.getByText('国际级主题教育'))).toBeVisible()
  await page.getByRole('button', { name: '全部运行' }).click()
  await expect(shown(page.getByText(/个样例全部与预期一致/))).toBeVisible()

  await openFlow(page, made)
  await page.getByRole('button', { name: '删除“校团委终审”' }).click()
  await expect(verdict(page)).toContainText(/结果将改变的样例（1）.*国际级主题教育/)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  const asked = page.getByRole('dialog')
  await expect(asked).toContainText('国际级主题教育')
  await asked.getByRole('button', { name: '返回修改' }).click()
  await expect(asked).toBeHidden()
  // what is missing is told before anything is asked
  await field(page, '流程名称').fill('')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(shown(page.getByText('请输入流程名称'))).toBeVisible()
  await expect(asked).toBeHidden()
  await field(page, '流程名称').fill(made)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await asked.getByRole('button', { name: '返回修改' }).click()
  await expect(asked).toBeHidden()
  const wfId = new URL(page.url()).searchParams.get('wfId')!
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click()

  // the page of the steps alone asks the same, and can be answered
  await open(page, `/basicConfig/addStepsSet?wfId=${wfId}`)
  await page.getByRole('button', { name: '删除“校团委终审”' }).click()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('button', { name: '确认并保存' }).click()
  await expect(shown(page.getByText(/已保存为第 \d+ 版/))).toBeVisible()
  await open(page, `${home}/FlowSandbox`)
  await expect(page.getByRole('region', { name: '样例' })).toContainText('全部与预期一致')
  await done(page)
})

test('of two administrators who edit one flow, one wins and the other is told', async ({ browser }) => {
  const [one, other] = await Promise.all([
    signedIn(browser, 'admin'),
    signedIn(browser, 'admin', { expectErrors: /409/ }),
  ])
  await Promise.all([openFlow(one, made), openFlow(other, made)])
  await field(one, '流程说明').fill('甲的说明')
  await field(other, '流程说明').fill('乙的说明')
  await one.getByRole('button', { name: '保存', exact: true }).click()
  await one.waitForURL(`**${home}**`)
  await other.getByRole('button', { name: '保存', exact: true }).click()
  const notice = shown(other.getByRole('alert').filter({ hasText: '该流程刚被其他人修改，您的修改尚未保存' }))
  await expect(notice).toBeVisible()
  await expect(field(other, '流程说明')).toHaveValue('乙的说明')
  await notice.getByRole('button', { name: '载入最新版本' }).click()
  await expect(field(other, '流程说明')).toHaveValue('甲的说明')
  // what the other one wrote is at hand, to be compared and saved over it
  await expect(shown(other.getByText('该记录此后已被他人修改，恢复后请逐项核对，再保存'))).toBeVisible()
  await shown(other.getByRole('button', { name: '恢复', exact: true })).click()
  await expect(field(other, '流程说明')).toHaveValue('乙的说明')
  await field(other, '流程说明').fill('乙在甲之后的说明')
  await other.getByRole('button', { name: '保存', exact: true }).click()
  await other.waitForURL(`**${home}**`)
  await Promise.all([done(one), done(other)])
})
