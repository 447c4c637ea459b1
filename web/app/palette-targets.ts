import type { MenuGroup } from '../../contract/school/session/session.calls.ts'
import { meansTitle } from './pinyin.ts'
import type { TabSet } from './tab-set.ts'
import { addressOf } from './tabs.ts'

/** Somewhere the palette leads. */
export interface Target {
  title: string
  place: string
  address: string
}

type Open = Pick<TabSet, 'tabs' | 'active' | 'titles'>

/**
 * All screens of the menu: favourites first, then what is open, what was opened lately, and the rest in the menu's
 * order; each once.
 */
export function allTargets(
  groups: readonly MenuGroup[],
  set: Open,
  favourites: readonly string[],
  recent: readonly string[],
): Target[] {
  const screens = new Map(
    groups.flatMap((group) =>
      group.pages.map(({ title, path }) => [path, { title, place: group.title, address: path }] as const),
    ),
  )
  const named = (paths: readonly string[], word: string) =>
    paths.flatMap((path) =>
      screens.has(path)
        ? [{ path, target: { ...screens.get(path)!, place: `${word} · ${screens.get(path)!.place}` } }]
        : [],
    )
  const open = set.tabs
    .filter((tab) => tab !== set.active)
    .map((tab) => ({
      path: tab.key,
      target: { title: set.titles[tab.key] ?? tab.screen.title, place: '已打开', address: addressOf(tab.location) },
    }))
  const current = set.active?.key
  const ordered = [
    ...named(favourites, '收藏'),
    ...open,
    ...named(
      recent.filter((path) => path !== current),
      '最近',
    ),
    ...[...screens].map(([path, target]) => ({ path, target })),
  ]
  const seen = new Set<string>()
  return ordered.filter(({ path }) => !seen.has(path) && seen.add(path)).map(({ target }) => target)
}

/** Those that every typed word means, by title or place; those meant by their titles first. */
export const fittingTargets = (targets: readonly Target[], typed: string): Target[] => {
  const words = typed.trim().split(/\s+/).filter(Boolean)
  const fitting = targets.filter(({ title, place }) =>
    words.every((word) => meansTitle(title, word) || meansTitle(place, word)),
  )
  const byTitle = ({ title }: Target) => words.every((word) => meansTitle(title, word))
  return [...fitting.filter(byTitle), ...fitting.filter((target) => !byTitle(target))]
}
