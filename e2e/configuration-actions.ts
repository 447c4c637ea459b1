import { expect, type Locator, type Page } from '@playwright/test'
import { shown } from './support.ts'

/**
 * How a school sets up its curriculum, labels, radar and awards; the second demo school is there for it, so that
 * nothing disturbs the others.
 */
export const school = { schoolId: 'demo2' }
export const refused = { expectErrors: /status of 409/ }

export const toast = (page: Page, text: string | RegExp) =>
  expect(shown(page.locator('.notice').filter({ hasText: text }))).toBeVisible()
export const names = (scope: Page | Locator, selector: string) =>
  scope.locator(selector).filter({ visible: true }).allInnerTexts()
export const dialog = (page: Page) => shown(page.getByRole('dialog'))

/**
 * Waits until a row has been taken hold of, which is said to screen readers, followed by its place: it looks held a
 * moment before, and what moves it is lost until then.
 */
export const pickedUp = (page: Page, name: string) =>
  expect(page.getByText(`已拿起${name}`).or(page.getByText(`${name}移到第`))).toBeAttached()

/** Takes hold of a row with the keyboard and puts it some places further down. */
export async function dragDown(page: Page, handle: string, places = 1): Promise<void> {
  const dragged = page.locator('[data-dnd-dragging]')
  const top = () => dragged.evaluate((row) => row.getBoundingClientRect().top)
  await page.getByRole('button', { name: handle, exact: true }).focus()
  await page.keyboard.press('Space')
  await pickedUp(page, handle.replace(/^拖动/, ''))
  for (let place = 0; place < places; place++) {
    const before = await top()
    await page.keyboard.press('ArrowDown')
    await expect.poll(top).toBeGreaterThan(before + 20)
  }
  await page.keyboard.press('Space')
  await expect(dragged).toHaveCount(0)
}

/** Asks the service as the person on the page. */
export const ask = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([url, input]) => {
      const { content } = JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string }
      const response = await fetch(`/api/schoolbase${url}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${content}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      return ((await response.json()) as { code: number }).code
    },
    [path, body] as const,
  )
