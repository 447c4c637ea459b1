import { Failure } from '../../../contract/core/failure.ts'

/** Circles with the person in charge as the caller saw them. */
export interface Pairs {
  ciIds: readonly string[]
  cpiPersonIds: readonly string[]
}

/** Refuses unless every circle is there and still led by whom the caller named beside it (docs/rules.md R44). */
export function assertStillLead(
  rows: readonly { ciId: string; ciName: string; cpiPersonId: string }[],
  { ciIds, cpiPersonIds }: Pairs,
): void {
  const byId = new Map(rows.map((row) => [row.ciId, row]))
  ciIds.forEach((ciId, at) => {
    const row = byId.get(ciId)
    if (!row) throw new Failure('not-found')
    if (row.cpiPersonId !== cpiPersonIds[at]) throw new Failure('circle-leader-changed', { name: row.ciName })
  })
}
