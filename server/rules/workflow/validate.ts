import { yesNo } from '../../../contract/core/codes/platform.ts'
/**
 * Whether flows step on each other, and what none of them covers: pure. Ranges are compared as the product of roles,
 * curriculum nodes and levels; an empty range means "all" (docs/rules.md R37 and R38).
 */

/** The ranges of an enabled flow; all flows compared are of one type. */
export interface RangedFlow {
  wfId: string
  wfName: string
  isDefault: string
  roleIds: readonly string[]
  lsIds: readonly string[]
  levels: readonly string[]
  /** `1`: only for matters that give credit. */
  needCreditOnly: string
}

/** The values of a range in their order, with the words shown for them. `lsPath` runs from the module to the node. */
export interface RangeWords {
  roles: readonly { id: string; name: string }[]
  classes: readonly { lsId: string; lsName: string; lsPath: readonly string[] }[]
  levels: readonly { id: string; name: string }[]
}

export interface Case {
  role: string
  class: string
  level: string
}

/** A case that no flow covers; `noCredit` where only matters that give credit are covered. */
export interface Gap extends Case {
  noCredit: boolean
}

const every = { role: '全部角色', class: '全部课程体系', level: '全部级别' } as const

/**
 * The cases for which `flow` and another flow are equally specific, so that nothing says which one applies. A flow that
 * names a role, a deeper node, a level or credit where the other does not is more specific and wins without any
 * conflict. Two default flows always conflict, a default and another one never.
 */
export function conflictsOf(
  flow: RangedFlow,
  others: readonly RangedFlow[],
  words: RangeWords,
): (Case & { wfId: string; wfName: string })[] {
  const roleName = wordsFor(words.roles.map(({ id, name }) => [id, name]))
  const className = wordsFor(words.classes.map(({ lsId, lsName }) => [lsId, lsName]))
  const levelName = wordsFor(words.levels.map(({ id, name }) => [id, name]))
  return others
    .filter(
      (other) =>
        other.wfId !== flow.wfId &&
        (other.isDefault === yesNo.yes) === (flow.isDefault === yesNo.yes) &&
        (flow.isDefault === yesNo.yes || other.needCreditOnly === flow.needCreditOnly),
    )
    .flatMap((other) => {
      const both =
        flow.isDefault === yesNo.yes
          ? { roles: [every.role], classes: [every.class], levels: [every.level] }
          : {
              roles: shared(flow.roleIds, other.roleIds, every.role, roleName),
              classes: shared(flow.lsIds, other.lsIds, every.class, className),
              levels: shared(flow.levels, other.levels, every.level, levelName),
            }
      return both.roles.flatMap((role) =>
        both.classes.flatMap((node) =>
          both.levels.map((level) => ({ wfId: other.wfId, wfName: other.wfName, role, class: node, level })),
        ),
      )
    })
}

/**
 * The words for what two ranges share at the same specificity: "all" where both are open, nothing where only one is.
 */
function shared(a: readonly string[], b: readonly string[], all: string, nameOf: (id: string) => string): string[] {
  if (a.length === 0 && b.length === 0) return [all]
  return a.filter((id) => b.includes(id)).map(nameOf)
}

const wordsFor = (pairs: readonly (readonly [string, string])[]) => {
  const names = new Map(pairs)
  return (id: string) => names.get(id) ?? '已删除'
}

/**
 * The cases that no flow covers, told as briefly as they can be: whole modules and all levels where that is so; those
 * covered only where credit is given come last. None where a default flow stands behind.
 */
export function gapsOf(flows: readonly RangedFlow[], words: RangeWords): Gap[] {
  if (flows.some(({ isDefault }) => isDefault === yesNo.yes)) return []
  const whole = openCases(flows, words).map((gap) => ({ ...gap, noCredit: false }))
  const known = new Set(whole.map(keyOf))
  const free = flows.filter(({ needCreditOnly }) => needCreditOnly !== yesNo.yes)
  const without = free.length === flows.length ? [] : openCases(free, words).map((gap) => ({ ...gap, noCredit: true }))
  return [...whole, ...without.filter((gap) => !known.has(keyOf(gap)))]
}

const keyOf = ({ role, class: node, level }: Case): string => [role, node, level].join('/')

function openCases(flows: readonly RangedFlow[], words: RangeWords): Case[] {
  const parents = new Set(words.classes.flatMap(({ lsPath }) => lsPath.slice(0, -1)))
  const leaves = words.classes.filter(({ lsId }) => !parents.has(lsId))
  const open = new Map<string, { role: string; level: string; leaves: string[] }>()
  for (const level of words.levels) {
    for (const leaf of leaves) {
      for (const role of uncoveredRoles(flows, leaf.lsPath, level.id, words)) {
        const key = `${role} ${level.id}`
        const gap = open.get(key) ?? { role, level: level.name, leaves: [] }
        gap.leaves.push(leaf.lsId)
        open.set(key, gap)
      }
    }
  }
  return mergeLevels(
    [...open.values()].flatMap(({ role, level, leaves: missing }) =>
      namesOfNodes(missing, leaves, words).map((node) => ({ role, class: node, level })),
    ),
    words,
  )
}

function uncoveredRoles(
  flows: readonly RangedFlow[],
  lsPath: readonly string[],
  level: string,
  { roles }: RangeWords,
): string[] {
  const fitting = flows.filter(
    (flow) =>
      (flow.levels.length === 0 || flow.levels.includes(level)) &&
      (flow.lsIds.length === 0 || flow.lsIds.some((id) => lsPath.includes(id))),
  )
  if (fitting.some(({ roleIds }) => roleIds.length === 0)) return []
  const covered = new Set(fitting.flatMap(({ roleIds }) => roleIds))
  const missing = roles.filter(({ id }) => !covered.has(id))
  if (missing.length === roles.length) return [every.role]
  return missing.map(({ name }) => name)
}

/** Names for a set of leaves: everything, or the highest nodes whose leaves are all in it. */
function namesOfNodes(missing: readonly string[], leaves: RangeWords['classes'], { classes }: RangeWords): string[] {
  const gone = new Set(missing)
  if (leaves.every(({ lsId }) => gone.has(lsId))) return [every.class]
  const whole = new Set(
    classes
      .filter(({ lsId }) => leaves.filter(({ lsPath }) => lsPath.includes(lsId)).every((leaf) => gone.has(leaf.lsId)))
      .map(({ lsId }) => lsId),
  )
  return classes
    .filter(({ lsId, lsPath }) => whole.has(lsId) && !lsPath.slice(0, -1).some((above) => whole.has(above)))
    .map(({ lsName }) => lsName)
}

function mergeLevels(gaps: Case[], { levels }: RangeWords): Case[] {
  const merged = new Map<string, { gap: Case; levels: string[] }>()
  for (const gap of gaps) {
    const key = `${gap.role} ${gap.class}`
    const known = merged.get(key)
    if (known) known.levels.push(gap.level)
    else merged.set(key, { gap, levels: [gap.level] })
  }
  return [...merged.values()].map(({ gap, levels: missing }) => ({
    ...gap,
    level: missing.length === levels.length ? every.level : missing.join('、'),
  }))
}
