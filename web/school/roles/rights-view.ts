import type { OwnRightsTree } from '../../../contract/school/roles/roles.schema.ts'

export type RightsPage = OwnRightsTree[number]['pages'][number]
export type Right = RightsPage['elements'][number]
export type RightsGroup = OwnRightsTree[number]

/** Which rights of the matrix are shown. */
export interface RightsSelection {
  word: string
  show: 'all' | 'chosen' | 'changed'
}

/** How a role's rights differ from those it started with: as saved, or as copied. */
export const changesOf = (base: ReadonlySet<string>, held: ReadonlySet<string>) => ({
  added: [...held].filter((permit) => !base.has(permit)),
  removed: [...base].filter((permit) => !held.has(permit)),
})

/** Why the editor cannot put a right into a role or take it out; undefined where they can. */
export const lackOf = ({ held }: Right): string | undefined =>
  held === 'whole'
    ? undefined
    : held === 'none'
      ? '您自己没有这项权限，不能授予'
      : '您只在部分范围内拥有这项权限；角色可以授予全校任何人，因此不能放入角色'

/** The groups and pages of which something fits; a page whose own name fits is shown whole. */
export function shownRights(
  tree: readonly RightsGroup[],
  { word, show }: RightsSelection,
  held: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): RightsGroup[] {
  const needle = word.trim().toLowerCase()
  const says = (...texts: string[]) => texts.some((text) => text.toLowerCase().includes(needle))
  const fits = ({ permit }: Right) => show === 'all' || (show === 'chosen' ? held.has(permit) : changed.has(permit))
  return tree.flatMap(({ title, pages }) => {
    const left = pages.flatMap((page) => {
      const isNamed = needle === '' || says(title, page.title)
      const elements = page.elements.filter(
        (element) => fits(element) && (isNamed || says(element.name, element.permit, ...element.acts)),
      )
      return elements.length > 0 ? [{ ...page, elements }] : []
    })
    return left.length > 0 ? [{ title, pages: left }] : []
  })
}
