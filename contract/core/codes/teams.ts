import { codeList } from './code-list.ts'

/** What one place of a course is for: a person, or a whole team. */
export const quotaUnit = codeList({
  person: ['1', '按人'],
  team: ['2', '按队'],
})

/** How far a team of a course is. Its members are registered while it is confirmed. */
export const teamStatus = codeList({
  forming: ['0', '组队中'],
  confirmed: ['1', '已确认'],
  withdrawn: ['2', '已解散'],
})

/** What somebody is in their team. */
export const teamRole = codeList({
  captain: ['1', '队长'],
  member: ['2', '队员'],
})
