import type { Page } from '@playwright/test'
import { shown } from './support.ts'

/** A field in sight: screens of other tabs stay in the document. */
export const field = (page: Page, label: string, exact = false) => shown(page.getByLabel(label, { exact }))
/** A field with its label, its help and its errors. */
export const formItem = (page: Page, label: string) =>
  shown(
    page.locator('.ant-form-item').filter({ has: page.locator('label', { hasText: new RegExp(`^[*\\s]*${label}`) }) }),
  )
/** The fact of a label on a detail page. */
export const fact = (page: Page, label: string) =>
  shown(page.locator('.facts dl > div').filter({ has: page.locator('dt').getByText(label, { exact: true }) })).locator(
    'dd',
  )
/** A tab of the detail page in sight. */
export const tab = (page: Page, name: string) => shown(page.getByRole('tab', { name, exact: true }))
/** A message above the page. */
export const notice = (page: Page, text: string | RegExp) => shown(page.locator('.notice').filter({ hasText: text }))
/** The row of a list that shows this text. */
export const row = (page: Page, text: string) => shown(page.getByRole('row').filter({ hasText: text }))
/** Somebody of the list of transcripts who has hours, and so terms that a transcript can be narrowed to. */
export const rowWithHours = (page: Page) =>
  shown(page.locator('.ant-table-row').filter({ has: page.getByRole('cell', { name: /^[\d.]*[1-9][\d.]* \/ \d/ }) }))
