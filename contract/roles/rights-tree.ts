import { allPermits } from '../index.ts'
import { elementsOf, screenGroups, screens, type Screen } from '../screens.ts'
import type { RightsTree } from './roles.schema.ts'

type PageRights = RightsTree[number]['pages'][number]

/**
 * Every right by the screens that ask for it, for the role editor: derived from the screens and the calls, so nothing can be
 * forgotten. Screens that are not in the menu stand with the one they belong to; rights no screen asks for come last.
 */
export function rightsTree(): RightsTree {
  const told = new Set<string>()
  const groups = screenGroups.map((title) => ({ title, pages: pagesOf((screens as readonly Screen[]).filter(({ group }) => group === title)) }))
  for (const { pages } of groups) for (const { elements } of pages) for (const { permit } of elements) told.add(permit)
  const rest = [...allPermits].filter(([permit]) => !told.has(permit))
  const byGroup = new Map<string, PageRights>()
  for (const [permit, { group }] of rest) {
    const page = byGroup.get(group) ?? { path: '', title: group, elements: [] }
    page.elements.push(element(permit, false))
    byGroup.set(group, page)
  }
  if (byGroup.size > 0) groups.push({ title: '其他' as (typeof screenGroups)[number], pages: [...byGroup.values()] })
  return groups.filter(({ pages }) => pages.length > 0)
}

function pagesOf(all: Screen[]): PageRights[] {
  const shown = all.filter(({ hidden }) => !hidden)
  const rights = new Map(shown.map((screen) => [screen.path, new Set(elementsOf(screen))]))
  for (const screen of all.filter(({ hidden }) => hidden)) {
    const home = homeOf(screen, shown)
    if (home) for (const permit of elementsOf(screen)) rights.get(home.path)!.add(permit)
  }
  return shown
    .map((screen) => ({ path: screen.path, title: screen.title, elements: [...rights.get(screen.path)!].map((permit) => element(permit, permit === screen.needs.permit)) }))
    .filter(({ elements }) => elements.length > 0)
}

/** The menu screen a hidden one belongs to: the one whose path it continues, else one about the same things. */
const homeOf = (screen: Screen, shown: Screen[]): Screen | undefined =>
  shown.find(({ path }) => screen.path.startsWith(`${path}/`)) ?? shown.find(({ needs }) => noun(needs.permit) === noun(screen.needs.permit)) ?? shown[0]

const noun = (permit: string) => permit.split(':')[0]

const element = (permit: string, opens: boolean) => ({ permit, opens, acts: [...new Set(allPermits.get(permit)?.acts ?? [])] })
