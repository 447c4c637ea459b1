import { elementsOf, screenGroups, screens, type Screen } from '../../../contract/screens.ts'
import type { MenuGroup } from '../../../contract/school/session/session.calls.ts'

/**
 * The menu of somebody holding these rights: the screens they may open, each with the rights of its buttons that they
 * hold.
 */
export function menuFor(permits: ReadonlySet<string>): MenuGroup[] {
  const open = (screen: Screen) => !screen.needs.permit.includes(':') || permits.has(screen.needs.permit)
  return screenGroups
    .map((title) => ({
      title,
      pages: (screens as readonly Screen[])
        .filter((screen) => screen.group === title && open(screen))
        .map((screen) => ({
          path: screen.path,
          title: screen.title,
          hidden: screen.hidden ?? false,
          elements: elementsOf(screen).filter((permit) => permits.has(permit)),
        })),
    }))
    .filter(({ pages }) => pages.length > 0)
}
