import { expect, test, type Page } from '@playwright/test'
import { newsClass, yesNo } from '../contract/core/codes/platform.ts'
import { flowStatus, flowType } from '../contract/core/codes/rules.ts'
import { scriptFile, vectors } from '../server/testing/script-vectors.ts'
import { done, open, settled, shown, signedIn } from './support.ts'

/** What the service answers the person on the page. */
const answer = <T>(page: Page, path: string, body?: object): Promise<T> =>
  page.evaluate(
    async ([url, input]) => {
      const { content } = JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string }
      const response = await fetch(`/api/schoolbase${url}`, {
        method: input ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${content}`, 'content-type': 'application/json' },
        ...(input && { body: JSON.stringify(input) }),
      })
      const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: unknown }
      if (code !== 200) throw new Error(`${url}: ${msg}`)
      return data
    },
    [path, body] as const,
  ) as Promise<T>

/** As many of the vectors as a text may be long, from one of them on; the next one after. */
function packed(from: number, maxLength: number): { text: string; next: number } {
  let [text, next] = ['', from]
  while (next < vectors.length && text.length + vectors[next]!.length + 1 <= maxLength) text += ` ${vectors[next++]}`
  return { text: text.trim(), next }
}

/**
 * What was stored for others by attackers is words or nothing when they read it: no dialog, no request that leaves the
 * machine.
 */
test('scripts in texts do nothing where the texts are shown', async ({ browser }) => {
  expect(vectors.length).toBeGreaterThanOrEqual(60)
  // reading in an inert document, the browser says of each handler and base that it will not have them; anything else
  // it says is a fault
  const page = await signedIn(browser, 'admin', {
    expectErrors: /inline event handler violates|Setting the document's base URI/,
  })
  let dialogs = 0
  page.on('dialog', (dialog) => (dialogs++, void dialog.dismiss()))

  const all =
    `${vectors.map((vector) => `<div>${vector}</div>`).join('')}<p>${[...vectors].reverse().join('\n')}`.replaceAll(
      scriptFile,
      '/no-file',
    )
  const [type] = await answer<{ ntId: string }[]>(page, '/newsType/queryAllNewsType')
  const { niId } = await answer<{ niId: string }>(page, '/newsInfo/addNewsInfo', {
    ntId: type!.ntId,
    niTitle: vectors[6],
    niClass: newsClass.article,
    niDetail: `<p>正文</p>${all}`,
    niIsShow: yesNo.yes,
    niTop: yesNo.no,
    imgList: [],
    attachments: [],
    relIds: [],
  })
  const detail = `/newsAdmin/newsList/detail?niId=${niId}`
  await open(page, '/newsAdmin/newsList')
  await shown(page.getByRole('link', { name: vectors[6]! })).click()
  await expect(shown(page.locator('.rich-text'))).toContainText('正文')
  await settled(page)

  // the console cleans for itself: here it is given what the service would never store, to show and to edit
  await page.route('**/newsInfo/getNewsDetail?*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...body, data: { ...body.data, niDetail: `<p>开头</p>${all}` } } })
  })
  for (const path of [detail, detail.replace('detail', 'edit')]) {
    await open(page, path)
    await expect(shown(page.locator('.rich-text'))).toContainText('开头')
    await settled(page)
  }
  const foreign = await page
    .locator('.rich-text')
    .evaluateAll((texts) =>
      texts.flatMap((text) =>
        [
          ...text.querySelectorAll(
            'script, style, iframe, object, embed, form, svg, math, link, meta, base, video, audio, [onerror], [onload], [autofocus]',
          ),
        ].map(({ outerHTML }) => outerHTML),
      ),
    )
  expect(foreign).toEqual([])
  await page.unroute('**/newsInfo/getNewsDetail?*')

  // messages, circles, reasons and flows are plain texts, and stay what they are
  const [student] = await answer<{ suId: string }[]>(page, '/circleInfo/queryAllStudent')
  for (let at = 0; at < vectors.length;) {
    const { text, next } = packed(at, 2000)
    await answer(page, '/informationInfo/sendMessage', {
      suIds: [student!.suId],
      iiTitle: vectors[at]!.slice(0, 100),
      iiContent: text,
    })
    at = next
  }
  await open(page, '/personalCenter/message?tab=outbox')
  await shown(page.getByRole('button', { name: vectors[0]! })).click()
  await expect(page.locator('.message-body')).toContainText(vectors[0]!)
  await page.keyboard.press('Escape')

  const [circle] = (
    await answer<{ records: { ciId: string }[] }>(
      page,
      '/circleInfo/queryCircleInfoList?current=1&pageSize=1&ciStatus=1',
    )
  ).records
  const known = await answer<Record<string, unknown>>(page, `/circleInfo/getCircleDetail?ciId=${circle!.ciId}`)
  const kept = Object.fromEntries(
    [
      'ciId',
      'version',
      'ciName',
      'ciClass',
      'ciLevel',
      'ciCollegeId',
      'guideUnitId',
      'cpiPersonId',
      'foundDate',
      'memberMax',
      'joinMode',
    ]
      .filter((name) => known[name] != null)
      .map((name) => [name, known[name]]),
  )
  await answer(page, '/circleInfo/updateCircleInfo', {
    ...kept,
    imgList: [],
    teacherIds: (known['teachers'] as { suId: string }[]).map(({ suId }) => suId),
    ciDesc: packed(0, 2000).text,
  })
  await open(page, `/communityAdmin/communityList/detail?ciId=${circle!.ciId}`)
  await expect(shown(page.locator('.circle-text'))).toContainText(vectors[0]!)

  const [open1] = (
    await answer<{ records: { ciId: string; cpiPersonId: string }[] }>(
      page,
      '/circleApplyInfo/queryCircleApplyInfoList?current=1&pageSize=1&ciAuthStatus=0',
    )
  ).records
  await answer(page, '/circleApplyInfo/isNotPass', {
    ciIds: [open1!.ciId],
    cpiPersonIds: [open1!.cpiPersonId],
    reason: packed(6, 500).text,
  })
  await open(page, '/communityAdmin/CommunityAudit?ciAuthStatus=2')
  await shown(page.getByRole('button', { name: '展开行' })).click()
  await settled(page)

  const [category] = await answer<{ wfcId: string }[]>(page, '/workFlow/getWorkTypeList')
  await answer(page, '/workFlow/saveWorkInfo', {
    wfName: vectors[6],
    wfDesc: packed(6, 300).text,
    wfcId: category!.wfcId,
    wfType: flowType.lesson,
    wfStatus: flowStatus.draft,
    steps: [],
  })
  await open(page, '/basicConfig/ProcessManagement')
  await shown(page.getByRole('row').filter({ hasText: vectors[6]! }))
    .getByRole('button', { name: '查看' })
    .click()
  await expect(shown(page.getByText(vectors[7]!))).toBeVisible()

  expect(dialogs).toBe(0)
  await done(page)
})
