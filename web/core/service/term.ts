/** The school's present term, `yyyy-MM-dd`, as told at sign-in. */
let term: { tmStart: string; tmEnd: string } | undefined

export const presentTerm = () => term
export function setTerm(now: { tmStart: string; tmEnd: string }): void {
  term = now
}
