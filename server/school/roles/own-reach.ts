import type { Area, Scope } from '../../../contract/core/scope.ts'

/**
 * Where the targets of a control area lie: a major's college, a class's major, college and year, a curriculum node's
 * path.
 */
export interface Parents {
  majors: ReadonlyMap<string, { scId: string }>
  classes: ReadonlyMap<string, { scId: string; smId: string; grade: string }>
  nodes: ReadonlyMap<string, readonly string[]>
}

/** Whether all that `inner` covers is covered by `outer`; nobody gives away more than they have. */
export const within = (outer: Scope, inner: Scope, parents: Parents): boolean =>
  outer.whole ||
  (!inner.whole && inner.areas.every((area) => outer.areas.some((own) => areaWithin(own, area, parents))))

function areaWithin(own: Area, area: Area, parents: Parents): boolean {
  if (
    own.lsIds.length > 0 &&
    (area.lsIds.length === 0 ||
      !area.lsIds.every((lsId) => (parents.nodes.get(lsId) ?? []).some((above) => own.lsIds.includes(above))))
  )
    return false
  const gradesFit =
    own.grades.length === 0 || (area.grades.length > 0 && area.grades.every((grade) => own.grades.includes(grade)))
  if (!namesPlaces(area)) return !namesPlaces(own) && namesAnything(own) && gradesFit
  if (!gradesFit && !onlyClassesOf(area, own.grades, parents)) return false
  return namesPlaces(own) ? placesWithin(own, area, parents) : namesAnything(own)
}

const namesPlaces = ({ scIds, smIds, scClassIds, sdIds }: Area): boolean =>
  scIds.length + smIds.length + scClassIds.length + sdIds.length > 0
const namesAnything = (area: Area): boolean => namesPlaces(area) || area.grades.length + area.lsIds.length > 0

/** An area of classes needs no years: each class is of one. */
const onlyClassesOf = (area: Area, grades: string[], parents: Parents): boolean =>
  area.scIds.length + area.smIds.length + area.sdIds.length === 0 &&
  area.scClassIds.every((id) => grades.includes(parents.classes.get(id)?.grade ?? ''))

function placesWithin(own: Area, area: Area, { majors, classes }: Parents): boolean {
  const college = (scId: string | undefined) => scId !== undefined && own.scIds.includes(scId)
  const major = (smId: string, scId: string | undefined) => own.smIds.includes(smId) || college(scId)
  return (
    area.scIds.every(college) &&
    area.smIds.every((smId) => major(smId, majors.get(smId)?.scId)) &&
    area.scClassIds.every((scClassId) => {
      const place = classes.get(scClassId)
      return own.scClassIds.includes(scClassId) || (place !== undefined && major(place.smId, place.scId))
    }) &&
    area.sdIds.every((sdId) => own.sdIds.includes(sdId))
  )
}

/** Whether `outer` covers anything of a place: a college or major, or a part of it. */
export const touches = (outer: Scope, place: Area, parents: Parents): boolean =>
  outer.whole || outer.areas.some((own) => areaTouches(own, place, parents))

function areaTouches(own: Area, place: Area, { majors, classes }: Parents): boolean {
  if (!namesPlaces(own)) return namesAnything(own)
  const inPlace = (scId: string | undefined, smId: string | undefined) =>
    (scId !== undefined && place.scIds.includes(scId)) || (smId !== undefined && place.smIds.includes(smId))
  const above = place.smIds.map((smId) => majors.get(smId)?.scId)
  return (
    own.scIds.some((scId) => inPlace(scId, undefined) || above.includes(scId)) ||
    own.smIds.some((smId) => inPlace(majors.get(smId)?.scId, smId)) ||
    own.scClassIds.some((scClassId) => inPlace(classes.get(scClassId)?.scId, classes.get(scClassId)?.smId))
  )
}
