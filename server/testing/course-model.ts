import { lessonStatus, resultStatus } from '../../contract/core/codes/programme.ts'
/**
 * What a course is to whoever only knows its rules: a second account of docs/rules.md R1 to R16 beside the service's
 * own, as small as it can be. A course of two places with two approvals: publication by two people in turn, the result
 * by one. Questions are asked about one student each, and decided by whoever handles them.
 */
export interface CourseModel {
  status:
    | 'draft'
    | 'asked'
    | 'turned down'
    | 'approved'
    | 'open'
    | 'result asked'
    | 'result turned down'
    | 'result approved'
    | 'notice'
    | 'credited'
    | 'down'
    | 'cancelled'
    | 'deleted'
  /** How many of the two have passed the publication. */
  passed: number
  time: 'before' | 'running' | 'over'
  noticeOver: boolean
  /** Students by number; absent from the map: not in the course. */
  people: Map<number, { there: boolean; result: '0' | '1' | '2' | '3' }>
  /** Those taken out of the result because of a question, and whether they had been there. */
  out: Map<number, boolean>
  /** Questions that are not settled, by the student they are about. */
  questions: Map<number, 'asked' | 'accepted' | 'upheld'>
}

export const freshCourse = (): CourseModel => ({
  status: 'draft',
  passed: 0,
  time: 'before',
  noticeOver: false,
  people: new Map(),
  out: new Map(),
  questions: new Map(),
})

export const places = 2
/** The service's codes of the model's states. */
const codes: Record<CourseModel['status'], string> = {
  draft: '0',
  asked: '10',
  'turned down': '11',
  approved: '20',
  open: '30',
  'result asked': '40',
  'result turned down': '41',
  'result approved': '50',
  notice: '60',
  credited: '70',
  down: '90',
  cancelled: '91',
  deleted: '',
}

export type Action =
  | {
      do:
        | 'submit'
        | 'withdraw'
        | 'publish'
        | 'unpublish'
        | 'cancel'
        | 'del'
        | 'resultAudit'
        | 'publicty'
        | 'unpublicty'
        | 'begin'
        | 'end'
        | 'noticeOver'
        | 'complete'
    }
  | { do: 'decide'; of: 'publication' | 'result'; by: 'leader' | 'admin'; passes: boolean }
  | { do: 'add' | 'remove'; who: number }
  | { do: 'sign'; who: number; there: boolean }
  | { do: 'rate'; who: number; result: '1' | '2' | '3' }
  /**
   * 1: left out though they took part; 2: credited with something else. The school may still ask once the notice is
   * over.
   */
  | { do: 'ask'; who: number; about: '1' | '2'; by: 'leader' | 'admin' }
  | { do: 'accept'; who: number }
  | { do: 'judge'; who: number; upholds: boolean }
  | { do: 'settle'; who: number; way: 'keep' | 'remove' | '1' | '2' | '3' }

const became = (model: CourseModel, change: Partial<CourseModel>): CourseModel => ({ ...model, ...change })
const withPerson = (
  model: CourseModel,
  who: number,
  one: { there: boolean; result: '0' | '1' | '2' | '3' } | undefined,
): CourseModel => {
  const people = new Map(model.people)
  if (one) people.set(who, one)
  else people.delete(who)
  return { ...model, people }
}
const isIn = (model: CourseModel, ...states: CourseModel['status'][]) => states.includes(model.status)

/** The code that is seen: a course in public notice is looked into while a question is. */
export const codeOf = ({ status, questions }: CourseModel): string =>
  status === 'notice' && [...questions.values()].some((stage) => stage !== 'asked')
    ? lessonStatus.questioned
    : codes[status]

/** What an action makes of a course; undefined where it must be refused and change nothing. */
export function after(model: CourseModel, act: Action): CourseModel | undefined {
  const { people } = model
  const one = 'who' in act ? people.get(act.who) : undefined
  const canTouch = isIn(model, 'open', 'result turned down')
  switch (act.do) {
    case 'submit':
      return isIn(model, 'draft', 'turned down') ? became(model, { status: 'asked', passed: 0 }) : undefined
    case 'withdraw':
      if (model.status === 'asked' && model.passed === 0) return became(model, { status: 'draft' })
      return model.status === 'result asked' ? became(model, { status: 'open' }) : undefined
    case 'decide':
      return decided(model, act)
    case 'publish':
      return isIn(model, 'approved', 'down') ? became(model, { status: 'open' }) : undefined
    case 'unpublish':
      return model.status === 'open' && ![...people.values()].some(({ there }) => there)
        ? became(model, { status: 'down' })
        : undefined
    case 'cancel':
      return isIn(model, 'approved', 'open', 'down')
        ? became(model, { status: 'cancelled', people: new Map() })
        : undefined
    case 'del':
      return isIn(model, 'draft', 'turned down') ? became(model, { status: 'deleted' }) : undefined
    case 'add':
      return canTouch && !one && people.size < places
        ? withPerson(model, act.who, { there: false, result: resultStatus.unrated })
        : undefined
    case 'remove':
      return canTouch && one ? withPerson(model, act.who, undefined) : undefined
    case 'sign':
      // who is found not to have been there loses a result that only those can have who were
      return canTouch && one && model.time !== 'before'
        ? withPerson(model, act.who, {
            there: act.there,
            result: act.there || one.result === resultStatus.failed ? one.result : resultStatus.unrated,
          })
        : undefined
    case 'rate': {
      const isTaken =
        act.result === resultStatus.awarded &&
        [...people].some(([who, { result }]) => who !== act.who && result === resultStatus.awarded)
      const isDue = model.status === 'result turned down' || model.time === 'over'
      return canTouch && isDue && one && (act.result === resultStatus.failed || one.there) && !isTaken
        ? withPerson(model, act.who, { ...one, result: act.result })
        : undefined
    }
    case 'resultAudit': {
      const isDue = model.status === 'result turned down' || model.time === 'over'
      const isOpen = [...people.values()].some(({ there, result }) => there && result === resultStatus.unrated)
      if (!canTouch || !isDue || people.size === 0 || isOpen) return undefined
      // who never came has not passed
      return became(model, {
        status: 'result asked',
        people: new Map(
          [...people].map(([who, { there, result }]) => [who, { there, result: there ? result : resultStatus.failed }]),
        ),
      })
    }
    case 'publicty':
      return model.status === 'result approved' ? became(model, { status: 'notice', noticeOver: false }) : undefined
    case 'unpublicty':
      return model.status === 'notice' ? became(model, { status: 'result approved' }) : undefined
    // time passes for a published course only, so that none begins before it is open
    case 'begin':
      return model.status === 'open' && model.time === 'before' ? became(model, { time: 'running' }) : model
    case 'end':
      return model.status === 'open' && model.time === 'running' ? became(model, { time: 'over' }) : model
    case 'noticeOver':
      return model.status === 'notice' ? became(model, { noticeOver: true }) : model
    case 'complete':
      return model.status === 'notice' && model.noticeOver && model.questions.size === 0
        ? became(model, { status: 'credited' })
        : model
    case 'ask': {
      const isTime = isIn(model, 'notice', 'credited') && (!model.noticeOver || act.by === 'admin')
      const counts = one?.result === resultStatus.passed || one?.result === resultStatus.awarded
      return isTime && !model.questions.has(act.who) && counts === (act.about === '2')
        ? withDispute(model, act.who, 'asked')
        : undefined
    }
    case 'accept':
      return model.questions.get(act.who) === 'asked' ? withDispute(model, act.who, 'accepted') : undefined
    case 'judge':
      return model.questions.get(act.who) === 'accepted'
        ? withDispute(model, act.who, act.upholds ? 'upheld' : undefined)
        : undefined
    case 'settle':
      return model.questions.get(act.who) === 'upheld' ? settled(model, act) : undefined
  }
}

const withDispute = (
  model: CourseModel,
  who: number,
  stage: 'asked' | 'accepted' | 'upheld' | undefined,
): CourseModel => {
  const disputes = new Map(model.questions)
  if (stage) disputes.set(who, stage)
  else disputes.delete(who)
  return { ...model, questions: disputes }
}

/**
 * What is done about a justified question: the result stays, the student is taken out, or their result is another one,
 * whether they were on the list or not.
 */
function settled(model: CourseModel, { who, way }: Extract<Action, { do: 'settle' }>): CourseModel | undefined {
  const closed = withDispute(model, who, undefined)
  const one = model.people.get(who)
  if (way === 'keep') return closed
  if (way === 'remove')
    return one && { ...withPerson(closed, who, undefined), out: new Map([...model.out, [who, one.there]]) }
  if (
    way === resultStatus.awarded &&
    [...model.people].some(([other, { result }]) => other !== who && result === resultStatus.awarded)
  )
    return undefined
  const there = one?.there ?? model.out.get(who) ?? false
  return withPerson(closed, who, { there: there || way !== resultStatus.failed, result: way })
}

function decided(model: CourseModel, { of, by, passes }: Extract<Action, { do: 'decide' }>): CourseModel | undefined {
  if (of === 'result') {
    if (model.status !== 'result asked' || by !== 'leader') return undefined
    return became(model, { status: passes ? 'result approved' : 'result turned down' })
  }
  if (model.status !== 'asked' || by !== (['leader', 'admin'] as const)[model.passed]) return undefined
  if (!passes) return became(model, { status: 'turned down' })
  return model.passed === 1 ? became(model, { status: 'approved', passed: 2 }) : became(model, { passed: 1 })
}

/**
 * Hundredths of hours and credit that a student of a course has from it: 2 hours and 0.2 credit, with the award 1 hour
 * and 0.1 credit more.
 */
export function earned({ status, people }: CourseModel, who: number): { hours: number; credit: number } {
  const result = status === 'credited' ? people.get(who)?.result : undefined
  if (result === resultStatus.awarded) return { hours: 300, credit: 30 }
  return result === resultStatus.passed ? { hours: 200, credit: 20 } : { hours: 0, credit: 0 }
}
