import { fullPath, type ForAll } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import type { Route } from '../../core/request/routes.ts'

/**
 * What can be carried out in the background: the very routes that answer requests, so that no rule is written twice.
 */
export interface Registry {
  /** The list under a path, for one who may see it. */
  listRoute(actor: Actor, path: string): Route
  /** The action under a path, with how it is done to the rows of a list. */
  actRoute(actor: Actor, path: string, list: string): { route: Route; how: ForAll }
  /** The action that takes another one back. */
  undoRoute(actor: Actor, path: string): Route
  /** How the ids go into the call that takes back what was done to the rows of a list. */
  undoneHow(path: string, list: string): ForAll
  /** The export under a path. */
  exportRoute(actor: Actor, path: string): Route
}

/** Whether an export may be of so many rows that it asks why; the others are short and leave at once. */
const asksReason = ({ call }: Route): boolean =>
  call.gives === 'file' && 'reason' in ((call.input as { shape?: object }).shape ?? {})

/**
 * The calls that may go on in the background, out of all routes.
 * @param routes asked when first needed, for they hold these routes as well
 */
export function backgroundRegistry(routes: () => readonly Route[]): Registry {
  let found: { lists: Map<string, Route>; acts: Map<string, Route>; exports: Map<string, Route> } | undefined
  const known = () => {
    if (found) return found
    const all = routes()
    const named = new Set(all.flatMap(({ call }) => call.forAll.map(({ list }) => list)))
    // an action that answers GET as well is known by the other one
    const writing = all.filter(({ call }) => call.writes && call.method !== 'GET')
    return (found = {
      lists: byPath(all.filter(({ call }) => !call.writes && named.has(fullPath(call)))),
      acts: byPath(writing),
      exports: byPath(all.filter(asksReason)),
    })
  }
  const permitted = (actor: Actor, route: Route | undefined): Route => {
    if (!route) throw new Failure('not-for-all')
    if (route.call.permit !== 'signed-in' && !actor.permits.has(route.call.permit)) throw new Failure('not-permitted')
    return route
  }
  return {
    listRoute: (actor, path) => permitted(actor, known().lists.get(path)),
    actRoute: (actor, path, list) => {
      const route = known().acts.get(path)
      const how = route?.call.forAll.find((one) => one.list === list)
      if (!route || !how) throw new Failure('not-for-all')
      return { route: permitted(actor, route), how }
    },
    undoRoute: (actor, path) => permitted(actor, known().acts.get(path)),
    undoneHow: (path, list) => {
      const all = [...known().acts.values()].flatMap(({ call }) => call.forAll)
      const how = all.find((one) => one.list === list && one.undo?.path === path)
      if (!how) throw new Failure('not-for-all')
      return how
    },
    exportRoute: (actor, path) => permitted(actor, known().exports.get(path)),
  }
}

const byPath = (routes: readonly Route[]) => new Map(routes.map((route) => [fullPath(route.call), route]))

/** The context in which a person makes a call: what they see under that call's right. */
export const asCaller = (ctx: Context, { call }: Route): Context => ({
  ...ctx,
  scope: ctx.actor.scopeFor(call.permit),
  permit: call.permit,
})
