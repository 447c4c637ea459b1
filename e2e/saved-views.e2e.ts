import { expect, test } from '@playwright/test'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { field } from './locators.ts'
import { done, open, settled, shown, signedIn } from './support.ts'

/** What is filtered is kept under a name, for the list it was filtered on. */

const students = '/personnelAdmin/studentAdmin'

/** Lists that keep views, each with a filter that may be kept. */
const viewKeeping = [
  `${students}?search=1`,
  '/personnelAdmin/teacherAdmin?search=1',
  '/courseManagement/RecordingCourse?lisName=1',
  '/courseManagement/Question?liName=1',
  '/communityAdmin/communityList?ciName=1',
  '/newsAdmin/newsList?niTitle=1',
  '/basicConfig/auditLog?action=1',
  '/StatisticsAdmin/ThresholdStatistics?show=list&search=1',
  '/transcript/transcriptList?tab=scores&liName=1',
  '/transcript/transcriptList?tab=issues&search=1',
  '/transcript/transcriptList?tab=applications&search=1',
]

test('what is filtered becomes a view of its own list, which shows it again with the filters that are folded', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  const keep = shown(page.getByRole('button', { name: '存为视图' }))
  for (const address of viewKeeping) {
    await open(page, address)
    await expect(keep, address).toBeVisible()
  }
  const view = shown(page.getByRole('button', { name: '我的一类', exact: true }))
  const save = async () => {
    await keep.click()
    await page.getByLabel('视图名称').fill('我的一类')
    await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click()
    await expect(view).toHaveAttribute('aria-pressed', 'true')
  }
  await save()
  // the lists of one screen have nothing of each other
  await open(page, '/transcript/transcriptList?tab=scores')
  await expect(keep).toBeHidden()
  await settled(page)
  await expect(view).toBeHidden()
  await open(page, `${students}?activated=0`)
  await save()
  await open(page, students)
  await expect(field(page, '账号激活')).toHaveCount(0)
  await view.click()
  await expect(page).toHaveURL(/activated=0/)
  await expect(field(page, '账号激活')).toBeVisible()
  await done(page)
})

test('a view of the people of one course is kept for all courses, and shows those of the course at hand', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(lessonApi.view, { pageSize: 50 })
  const peopled = records.filter(({ applyCount }) => applyCount > 0)
  const awardsOf = ({ liId }: { liId: string }) => admin.send(registrationApi.loadAward, { liId })
  const withAwards: typeof peopled = []
  for (const lesson of peopled) if ((await awardsOf(lesson)).length > 0) withAwards.push(lesson)
  const first = withAwards[0]!
  const second = peopled.find((lesson) => lesson !== first)!
  const [award] = await awardsOf(first)
  const people = ({ liId }: { liId: string }) => `/courseManagement/CurriculumList/Participants?liId=${liId}`
  const page = await signedIn(browser, 'admin')
  const keep = shown(page.getByRole('button', { name: '存为视图' }))
  const view = shown(page.getByRole('button', { name: '还没有来的', exact: true }))
  // an award is one of this course alone
  await open(page, `${people(first)}&adId=${award!.adId}`)
  await settled(page)
  await expect(keep).toBeHidden()
  await open(page, `${people(first)}&laSignStatus=0&adId=${award!.adId}`)
  await keep.click()
  await page.getByLabel('视图名称').fill('还没有来的')
  await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click()
  await expect(view).toHaveAttribute('aria-pressed', 'true')
  await open(page, people(second))
  await view.click()
  await expect(page).toHaveURL(new RegExp(`liId=${second.liId}.*laSignStatus=0`))
  await expect(page).not.toHaveURL(/adId/)
  await expect(view).toHaveAttribute('aria-pressed', 'true')
  await done(page)
})
