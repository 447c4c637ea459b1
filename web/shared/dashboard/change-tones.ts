interface Tones {
  /** Cards whose rise is no good news. */
  unwelcome?: readonly string[]
  /** Cards of which neither rise nor fall is good or bad. */
  neutral?: readonly string[]
}

/** How the changes of the cards are coloured, by the screen of the statistics that they stand on. */
export const changeTones = {
  login: { unwelcome: ['never'] },
  lesson: { unwelcome: ['stopped', 'decideHours'], neutral: ['running'] },
  supplement: { unwelcome: ['refuse', 'decideHours', 'twice'], neutral: ['pending', 'publicty'] },
  ability: {},
  circle: { unwelcome: ['closed', 'disabled', 'mending', 'idle'] },
  student: { unwelcome: ['zero', 'black'], neutral: ['people'] },
  teacher: {},
  threshold: { unwelcome: ['level3', 'level2', 'level1', 'rate'] },
} as const satisfies Record<string, Tones>
