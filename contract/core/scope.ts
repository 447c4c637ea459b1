/**
 * What part of a school a person's roles let them see (control area). Rows are visible when any area covers them; an
 * empty list of areas covers nothing, `whole` covers everything. Within an area, `scIds`, `smIds`, `scClassIds` and
 * `sdIds` add up, `grades` and `lsIds` narrow; an area that names only grades or curriculum nodes covers those in the
 * whole school.
 */
export interface Area {
  scIds: string[]
  smIds: string[]
  scClassIds: string[]
  sdIds: string[]
  grades: string[]
  lsIds: string[]
}

export interface Scope {
  whole: boolean
  areas: Area[]
  /** The one person whose own rows are visible besides: who asks for themselves. */
  suId?: string
}

export const wholeSchool: Scope = { whole: true, areas: [] }
export const nothingVisible: Scope = { whole: false, areas: [] }
