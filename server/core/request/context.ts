import type { Logger } from 'pino'
import type { Permit } from '../../../contract/core/call.ts'
import type { Scope } from '../../../contract/core/scope.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Db } from '../database/pool.ts'
import type { FileStore } from '../files/files.ts'
import type { VirusScanner } from '../files/virus-scanner.ts'
import type { RequestQuota } from './quotas.ts'
import type { Replica } from '../database/replica.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Signals } from '../database/signals.ts'

/** The signed-in person a request acts for. */
export interface Actor {
  schoolId: string
  suId: string
  suNickname: string
  suLoginName: string
  sessionId: string
  /** Until the first password is changed only the calls of the session itself work. */
  mustChangePwd: boolean
  /** Until the person has agreed to the school's privacy notice only that works. */
  mustAcceptNotice?: boolean
  /** Until the second factor that a role demands has been set up only the calls that do so work. */
  mustEnrol?: boolean
  /** The second factor of somebody who has one: when this session gave a code of it, as wall-clock text. */
  factor?: { provenTime: string | null }
  /** The school moves to another installation: its people may look, and nothing they do is written. */
  isReadOnly?: boolean
  /** A graduate: they may look, and change nothing but what is their own (decision 128). */
  isGraduate?: boolean
  /** What the operator lets the school have; absent where there is no bound. */
  quota?: RequestQuota
  /** It is a program that asks by a key of its own, so often a minute at most; there is no person. */
  program?: { perMinute: number }
  /** Rights of all roles together. */
  permits: ReadonlySet<string>
  roleIds: string[]
  /** What the person may see under one right: the areas of the roles that grant it, together. */
  scopeFor: (permit: Permit) => Scope
}

/** Where a request came from; every audit row and log line carries it. */
export interface Origin {
  requestId: string
  ip: string
  agent: string
  /** The bearer token as sent, for the one public call that may be made with it. Never logged. */
  bearer?: string
  /** Whether the caller prefers strict handling: an edit then has to tell its version (decision 034). */
  isStrict?: boolean
  /** Whether the caller wants lists as comma-separated text (`Accept: text/csv`) and not as workbooks. */
  wantsCsv?: boolean
  /**
   * Wall-clock moment until which what is done can be taken back, where that is more than a person at the screen has:
   * work in the background ends when nobody looks.
   */
  undoUntil?: string
}

/** What every service function receives first. */
export interface PublicContext {
  db: Db
  clock: Clock
  config: Config
  secrets: Secrets
  files: FileStore
  /** Looks at uploads for viruses; undefined where the settings name none. */
  scanner?: VirusScanner | undefined
  signals: Signals
  /** A standby that long readings may go to; undefined where the settings name none. */
  replica?: Replica | undefined
  origin: Origin
  log: Logger
  /** The file of an upload call, already on disk in a private temporary place and removed after the request. */
  upload?: Upload
  /** Told how many rows of a list have left so far, where somebody follows an export. */
  onRows?: (rows: number) => void
}

/** The context of a call that needs a signed-in person. `scope` is what they may see under the call's own right. */
export interface Context extends PublicContext {
  actor: Actor
  scope: Scope
  /** The right of the call, where it is one that somebody makes. */
  permit?: Permit
  /**
   * Gives up the turn of the school (decision 117): for work that waits long for others of its own school, so that the
   * rest of the school does not wait with it.
   */
  giveWay?: () => void
}

export interface Upload {
  path: string
  name: string
  size: number
}
