import { Failure } from '../../../contract/core/failure.ts'
import { telemetry } from '../base/telemetry.ts'

interface Options {
  /** Requests that this process works on at a time while several schools ask; 0 for no turns at all. */
  atOnce: number
  /** Requests of one school that may wait for their turn. */
  mostWaiting?: number
  /**
   * Milliseconds after which a request no longer counts: what takes long must not keep its own school from the rest.
   */
  turnMs?: number
  /** Milliseconds for which a school is taken to be asking after its last request. */
  lingerMs?: number
  now?: () => number
}

interface School {
  /** Turns that count, with the moment they began. */
  running: Set<{ since: number }>
  waiting: ((turn: () => void) => void)[]
  /** When it last asked. */
  asked: number
  /** The number of its last turn, of all that were given. */
  served: number
}

/** A turn, for whoever is done with it; several calls are one. */
export type Turn = () => void

/**
 * Fair turns among the schools of one process (decision 117). While one school asks alone, all of its requests run at
 * once, as they come. While several do, each has an equal share of what runs at once, and what is beyond waits in a
 * queue of its school; whoever has the fewest running, and of those whoever waited longest, goes next. So a school that
 * asks ten times as much waits for itself, and not the others for it.
 */
export function createFairQueue({
  atOnce,
  mostWaiting = 2000,
  turnMs = 250,
  lingerMs = 1000,
  now = () => performance.now(),
}: Options): (schoolId: string) => Turn | Promise<Turn> {
  const schools = new Map<string, School>()
  let waiting = 0
  let given = 0
  let sweeper: NodeJS.Timeout | undefined

  const share = () => Math.max(1, Math.floor(atOnce / schools.size))
  /** What runs, of each school no more than its share: what one took while it was alone is not held against others. */
  const taken = () => {
    const most = share()
    let sum = 0
    for (const { running } of schools.values()) sum += Math.min(running.size, most)
    return sum
  }
  const mayRun = ({ running }: School) => schools.size === 1 || (running.size < share() && taken() < atOnce)

  const start = (school: School): Turn => {
    const turn = { since: now() }
    school.running.add(turn)
    school.served = ++given
    return () => {
      if (school.running.delete(turn) && waiting > 0) serve()
    }
  }
  /** Gives out what has become free. */
  const serve = () => {
    while (waiting > 0) {
      let next: School | undefined
      for (const school of schools.values())
        if (school.waiting.length > 0 && mayRun(school) && (!next || isBefore(school, next))) next = school
      if (!next) return
      waiting--
      next.waiting.shift()!(start(next))
    }
    clearInterval(sweeper)
    sweeper = undefined
  }
  /** Forgets schools that ask no more and turns that have lasted too long. */
  const sweep = () => {
    const time = now()
    for (const [schoolId, school] of schools) {
      for (const turn of school.running) if (time - turn.since > turnMs) school.running.delete(turn)
      if (school.running.size + school.waiting.length === 0 && time - school.asked > lingerMs) schools.delete(schoolId)
    }
  }

  let sweptAt = -Infinity
  return (schoolId) => {
    if (atOnce === 0) return nothing
    const time = now()
    let school = schools.get(schoolId)
    if (!school) schools.set(schoolId, (school = { running: new Set(), waiting: [], asked: time, served: 0 }))
    school.asked = time
    if (schools.size > 1 && time - sweptAt > lingerMs / 10) {
      sweptAt = time
      sweep()
    }
    if (school.waiting.length === 0 && mayRun(school)) return start(school)
    if (school.waiting.length >= mostWaiting) {
      telemetry.refusal.publish('turn')
      throw new Failure('unavailable', {}, { retryAfter: 2 })
    }
    waiting++
    telemetry.turn.publish({ waiting: 1 })
    sweeper ??= setInterval(() => {
      sweep()
      serve()
    }, lingerMs / 10).unref()
    return new Promise<Turn>((go) =>
      school.waiting.push((turn) => {
        telemetry.turn.publish({ waiting: -1, ms: now() - time })
        go(turn)
      }),
    )
  }
}

const nothing: Turn = () => {}

const isBefore = (one: School, other: School): boolean =>
  one.running.size - other.running.size < 0 || (one.running.size === other.running.size && one.served < other.served)
