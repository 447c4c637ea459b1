import { curriculumType, flowType } from '../contract/core/codes/rules.ts'
import { applyWay } from '../contract/core/codes/programme.ts'
import type { Input } from '../contract/core/call.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { workflowApi } from '../contract/rules/workflow/workflow.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import type { Client } from '../server/testing/client.ts'
import { dayAfter, travel } from './support.ts'

type Steps = Input<typeof workflowApi.save>['steps']

/**
 * A flow of the demo school that journeys have to themselves: it applies to one node of the curriculum, at which they
 * hold their courses. `end` takes it out of service.
 */
export async function ownFlow(admin: Client, wfName: string, node: number, steps: (suId: Find) => Promise<Steps>) {
  const suId: Find = async (name) => {
    const found = await admin.send(teacherApi.search, { search: name })
    return found[0]!.suId
  }
  const tree = await admin.send(curriculumApi.all, { lsType: curriculumType.lessons })
  const { lsId } = tree.flatMap(({ children }) => children).at(node)!
  const { records } = await admin.send(workflowApi.list, { pageSize: 1 })
  const { wfId } = await admin.send(workflowApi.save, {
    wfName,
    wfcId: records[0]!.wfcId!,
    wfType: flowType.lesson,
    lsIds: [lsId],
    steps: await steps(suId),
  })
  return {
    lsId,
    /** A course of the teacher of the demo school at the node, submitted for publication. */
    async submit(teacher: Client, liName: string, more: Partial<Input<typeof lessonApi.save>> = {}) {
      const now = await travel(0)
      const day = dayAfter(now, 20)
      const [leader] = await teacher.send(teacherApi.search, { search: '王老师' })
      const { liId } = await teacher.send(lessonApi.save, {
        liName,
        lsId,
        liLevel: '6',
        liIntro: '参观校史馆并体验讲解。',
        liPrincipalId: leader!.suId,
        placeText: '校史馆',
        applyWay: applyWay.importedList,
        quota: 30,
        startTime: `${day} 14:00:00`,
        endTime: `${day} 16:00:00`,
        submit: '1',
        ...more,
      })
      return liId
    },
    end: () => admin.ask(workflowApi.remove, { wfId }),
  }
}
type Find = (name: string) => Promise<string>
