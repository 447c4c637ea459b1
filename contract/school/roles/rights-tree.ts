import { allPermits } from '../../index.ts'
import { screenGroups, screens, type Screen } from '../../screens.ts'
import { rightName } from './right-words.ts'
import type { RightsTree } from './roles.schema.ts'

type PageRights = RightsTree[number]['pages'][number]

/**
 * Every right by the screens that ask for it, for the role editor: derived from the screens and the calls, so nothing
 * can be forgotten. Screens that are not in the menu stand with the one they belong to; rights no screen asks for come
 * last.
 */
export function rightsTree(): RightsTree {
  const groups = screenGroups.map((title) => ({
    title: title as string,
    pages: pagesOf((screens as readonly Screen[]).filter(({ group }) => group === title)),
  }))
  const placed = new Set(
    groups.flatMap(({ pages }) => pages.flatMap(({ elements }) => elements.map(({ permit }) => permit))),
  )
  const rest = new Map<string, PageRights>()
  for (const [permit, { group, acts }] of allPermits) {
    if (placed.has(permit)) continue
    const page = rest.get(group) ?? { path: '', title: group, elements: [] }
    page.elements.push({ permit, name: rightName(permit, acts), acts: [...new Set(acts)], opens: false })
    rest.set(group, page)
  }
  return [...groups, { title: '其他', pages: [...rest.values()] }].filter(({ pages }) => pages.length > 0)
}

/** Where a right stands, in words: 学生管理 · 重置密码. */
export function rightTitle(permit: string): string {
  for (const { pages } of rightsTree()) {
    for (const { title, elements } of pages) {
      const element = elements.find((one) => one.permit === permit)
      if (element) return `${title} · ${element.name}`
    }
  }
  return permit
}

function pagesOf(all: Screen[]): PageRights[] {
  const shown = all.filter(({ hidden }) => !hidden)
  const homes = new Map(shown.map((screen) => [screen, [screen]]))
  for (const screen of all.filter(({ hidden }) => hidden)) homes.get(homeOf(screen, shown)!)?.push(screen)
  return shown
    .map((screen) => ({ path: screen.path, title: screen.title, elements: elementsOf(screen, homes.get(screen)!) }))
    .filter(({ elements }) => elements.length > 0)
}

/**
 * The rights of a page and of the hidden ones that belong to it. A right about other things is named by what the page
 * does with it.
 */
function elementsOf(page: Screen, belonging: Screen[]): PageRights['elements'] {
  const calls = belonging
    .flatMap(({ needs, actions: acts }) => [needs, ...acts])
    .filter(({ permit }) => allPermits.has(permit) && (permit === page.needs.permit || !isOtherPage(permit)))
  return [...new Set(calls.map(({ permit }) => permit))].map((permit) => {
    const acts = [...new Set(allPermits.get(permit)?.acts ?? [])]
    const own = [...new Set(calls.filter((call) => call.permit === permit).map(({ summary }) => summary))]
    return {
      permit,
      name: noun(permit) === noun(page.needs.permit) ? rightName(permit, own) : own.slice(0, 2).join('、'),
      acts,
      opens: permit === page.needs.permit,
    }
  })
}

const opening: ReadonlySet<string> = new Set(
  (screens as readonly Screen[]).filter(({ hidden }) => !hidden).map(({ needs }) => needs.permit),
)
/**
 * The right to see another page, which a screen only leads to: it is given or not with that page, not as a button here.
 */
const isOtherPage = (permit: string): boolean => permit.endsWith(':list') && opening.has(permit)

/**
 * The menu screen a hidden one belongs to: whose path it continues, else which opens by the same right, else one about
 * the same things.
 */
const homeOf = (screen: Screen, shown: Screen[]): Screen | undefined =>
  shown.find(({ path }) => screen.path.startsWith(`${path}/`)) ??
  shown.find(({ needs }) => needs.permit === screen.needs.permit) ??
  shown.find(({ needs }) => noun(needs.permit) === noun(screen.needs.permit)) ??
  shown[0]

const noun = (permit: string) => permit.split(':')[0]
