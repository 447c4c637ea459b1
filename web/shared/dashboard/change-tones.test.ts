import { expect, test } from 'vitest'
import { provinceScreens, type ProvinceScreen } from '../../../contract/outcomes/province/province-tables.ts'
import { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import type { Card } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { newSchool } from '../../../server/testing/school.ts'
import { changeTones } from './change-tones.ts'

test('of every card that a screen of the statistics is given it is known what a rise means', async () => {
  const { admin } = await newSchool()
  const cardsOf: Record<ProvinceScreen, () => Promise<{ cards: readonly Card[] }>> = {
    login: () => admin.send(loginStatApi.college, {}),
    lesson: () => admin.send(lessonStatApi.info, {}),
    supplement: () => admin.send(supplementStatApi.info, {}),
    ability: () => admin.send(abilityStatApi.colleges, {}),
    circle: () => admin.send(circleStatApi.total, {}),
    student: () => admin.send(studentStatApi.total, {}),
    teacher: () => admin.send(teacherStatApi.total, {}),
    threshold: () => admin.send(thresholdApi.overview, {}),
  }
  for (const [screen] of provinceScreens) {
    const { cards } = await cardsOf[screen]()
    expect(Object.keys(changeTones[screen]).toSorted(), screen).toEqual(cards.map(({ key }) => key).toSorted())
  }
})
