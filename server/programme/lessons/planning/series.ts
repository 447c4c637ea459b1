/** Names and times of courses that belong together: pure. */

const numbered = /^(.*?)\s*（第\s*(\d{1,3})\s*期）$/

/** A course name taken apart: what it is called without its number, and the number; 0 without one. */
export function partsOf(liName: string): { base: string; number: number } {
  const match = numbered.exec(liName)
  return match ? { base: match[1]!, number: Number(match[2]) } : { base: liName, number: 0 }
}

/** `训练营（第 3 期）`, with the base cut where the whole would be longer than a name may be. */
export const nameOf = (base: string, number: number): string => {
  const end = `（第 ${number} 期）`
  return base.slice(0, 200 - end.length) + end
}

/** A wall-clock moment moved by as much as lies between two others. */
export function moved(moment: string, from: string, to: string): string {
  const at = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}Z`)
  return new Date(at(moment) + at(to) - at(from)).toISOString().slice(0, 19).replace('T', ' ')
}
