import type { MenuGroup } from '../../contract/school/session/session.calls.ts'
import { pageAt } from './page-loaders.ts'

/** The menu as this console can show it: only screens that are built and not hidden, only groups that hold one. */
export const shownMenu = (menu: readonly MenuGroup[]): MenuGroup[] =>
  menu
    .map((group) => ({ ...group, pages: group.pages.filter((page) => !page.hidden && pageAt(page.path)) }))
    .filter((group) => group.pages.length > 0)

/** The rights usable on a screen; undefined where the person's menu does not hold it. */
export const elementsAt = (menu: readonly MenuGroup[], path: string): readonly string[] | undefined =>
  menu.flatMap((group) => group.pages).find((page) => page.path === path)?.elements

/** The group of a screen. */
export const groupOf = (menu: readonly MenuGroup[], path: string): string | undefined =>
  menu.find((group) => group.pages.some((page) => page.path === path))?.title

/** The menu screen under which a hidden one hangs: the one with the longest common beginning in the same group. */
export function parentOf(menu: readonly MenuGroup[], path: string): { path: string; title: string } | undefined {
  const group = menu.find((one) => one.pages.some((page) => page.path === path))
  const own = group?.pages.find((page) => page.path === path)
  if (!group || !own?.hidden) return undefined
  const shown = group.pages.filter((page) => !page.hidden && pageAt(page.path))
  return shown.find((page) => path.startsWith(`${page.path}/`)) ?? shown.find((page) => sameStem(page.path, path))
}

/**
 * `/checkAdmin/publishCheckDetail` hangs under `/checkAdmin/publishCheck`, `/courseManagement/addCurriculumList` under
 * `.../CurriculumList`.
 */
function sameStem(menuPath: string, path: string): boolean {
  const stem = menuPath.slice(menuPath.lastIndexOf('/') + 1).toLowerCase()
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return name.endsWith(stem) || name.startsWith(stem)
}
