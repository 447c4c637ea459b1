import { loadModule, parseSync } from 'libpg-query'
import { SameSchools } from './same-schools.ts'

await loadModule()

/** A node of PostgreSQL's own parse tree, as JSON. */
type Node = Record<string, unknown>

/** What a name of a FROM clause stands for: the number of its school, or undefined where the rows have no school. */
type Names = Map<string, number | undefined>

/** The names that can be used at one place of a statement, innermost first, and the CTEs known there. */
interface Level {
  names: Names
  /** Those names that stand for tables. */
  tables: Set<string>
  outer: Level | undefined
  /** The school of the rows of each CTE, by its name. */
  ctes: Map<string, number | undefined>
}

/** The tables with a column `schoolId`. */
export interface TablesOfSchools {
  /** Whose rows are kept where their school is kept. */
  divided: ReadonlySet<string>
  /** Which every machine would hold whole: they may be read without a school, and tie what is joined to them. */
  undivided: ReadonlySet<string>
}

/** What a statement says of the schools whose rows it asks for. */
interface StatementSchools {
  /**
   * Tables whose rows are tied neither to a school that the caller names nor, by an equality of `schoolId`, to rows
   * that are. On a database that keeps schools on different machines such a statement asks all of them; everywhere it
   * may show one school the rows of another.
   */
  untied: string[]
  /**
   * Tables whose school an engine cannot tell before it runs the statement: it comes from a query around or beside
   * them. The statement gives the same rows, and every machine is asked for them.
   */
  scattered: string[]
  /** The statement with the school, where the caller names it by a parameter, at each table that would be scattered. */
  bound: string
}

/**
 * Reads one statement by PostgreSQL's own parser.
 *
 * Equalities count wherever they stand, and a bare `"schoolId"` is that of the first table of its level, so a statement
 * can pass that should not; what is answered is certain.
 */
export function schoolsOf(statement: string, tables: TablesOfSchools): StatementSchools {
  const first = read(statement, tables)
  const bound = first.bound(statement)
  const whole = bound === statement ? first : read(bound, tables)
  return { untied: first.untied(), scattered: whole.scattered(), bound }
}

function read(statement: string, tables: TablesOfSchools): StatementReader {
  const reader = new StatementReader(tables)
  const { stmts } = parseSync(statement) as { stmts: { stmt: Node }[] }
  for (const { stmt } of stmts) reader.statement(stmt, undefined)
  return reader
}

/** A column `schoolId` as it stands in a statement. */
interface SchoolColumn {
  school: number
  /** Of the table or query that it is of. */
  level: Level
  isTable: boolean
  /** Bytes before it in the statement. */
  location: number
}

/** One statement while it is read: every table in it has a number, and numbers that are the same school are joined. */
class StatementReader {
  readonly #divided: ReadonlySet<string>
  readonly #undivided: ReadonlySet<string>
  /** By whatever the statement says. */
  readonly #said = new SameSchools()
  /** By what an engine sees before it runs the statement: parameters, and equalities of tables side by side. */
  readonly #seen = new SameSchools()
  readonly #parameters = new Map<number, number>()
  readonly #tables: { table: string; school: number }[] = []
  /** Whether the condition of an outer join is being read. */
  #isOptional = false
  /** Columns to which their school is to be added, behind the column at the second place. */
  readonly #loose: { column: SchoolColumn; behind: SchoolColumn }[] = []

  constructor({ divided, undivided }: TablesOfSchools) {
    this.#divided = divided
    this.#undivided = undivided
  }

  untied(): string[] {
    return this.#tables.filter(({ school }) => !this.#said.isNamed(school)).map(({ table }) => table)
  }

  scattered(): string[] {
    return this.#tables.filter(({ school }) => !this.#seen.isNamed(school)).map(({ table }) => table)
  }

  bound(statement: string): string {
    const text = Buffer.from(statement)
    const columnAt = (location: number) => columnPattern.exec(text.subarray(location).toString())![0]
    const added = this.#loose
      .filter(({ column }) => !this.#seen.isNamed(column.school))
      .flatMap(({ column, behind }) => {
        const parameter = this.#said.parameterOf(column.school)
        if (parameter === undefined) return []
        const at = behind.location + Buffer.byteLength(columnAt(behind.location))
        return [{ at, condition: ` and ${columnAt(column.location)} = $${parameter}` }]
      })
      .sort((one, other) => other.at - one.at)
    return added
      .reduce(
        (whole, { at, condition }) =>
          Buffer.concat([whole.subarray(0, at), Buffer.from(condition), whole.subarray(at)]),
        text,
      )
      .toString()
  }

  /** The school of the rows that a statement gives, undefined where it gives no `schoolId`. */
  statement(node: Node, outer: Level | undefined, at?: number): number | undefined {
    const [[kind, content]] = Object.entries(node) as [[string, Node]]
    const level: Level = { names: new Map(), tables: new Set(), outer, ctes: new Map() }
    for (const { CommonTableExpr: cte } of list(get(content['withClause'], 'ctes')))
      this.#cte(cte as Node, get(content['withClause'], 'recursive') === true, level)
    if (kind === 'SelectStmt') return this.#select(content, level, at)
    if (kind === 'InsertStmt') return this.#insert(content, level)
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt' || kind === 'MergeStmt') return this.#change(content, level)
    this.#inside(content, level)
    return undefined
  }

  #cte(cte: Node, recursive: boolean, level: Level): void {
    const name = String(cte['ctename'])
    const query = get(cte['ctequery'], 'SelectStmt') as Node | undefined
    if (!recursive || !query?.['larg']) {
      level.ctes.set(name, this.statement(cte['ctequery'] as Node, level))
      return
    }
    // the second part of a recursive query reads what the first one gives
    level.ctes.set(name, this.statement({ SelectStmt: query['larg'] }, level))
    this.statement({ SelectStmt: query['rarg'] }, level)
  }

  /** @param at the column that is the school, where not the name but an inserting statement's order tells */
  #select(select: Node, level: Level, at?: number): number | undefined {
    if (select['larg']) {
      const [first, second] = [select['larg'], select['rarg']].map((one) =>
        this.statement({ SelectStmt: one }, level, at),
      )
      // the rows of the whole are of the named school only if those of both halves are
      return first !== undefined && this.#said.isNamed(first) ? second : first
    }
    // such a query reads no row; it only tells what a row looks like
    if (isFalse(select['whereClause'])) return this.#given()
    for (const item of list(select['fromClause'])) this.#from(item, level)
    for (const [key, part] of Object.entries(select))
      if (key !== 'fromClause' && key !== 'withClause') this.#inside(part, level)
    const targets = list(select['targetList'])
    if (at === undefined) return this.#schoolGiven(targets, level)
    const value = get(targets[at]?.['ResTarget'], 'val') as Node | undefined
    return value && this.#schoolOf(value, level) !== undefined
      ? this.#schoolOf(value, level)
      : this.#schoolGiven(targets, level)
  }

  #insert(insert: Node, level: Level): number | undefined {
    const table = String(get(insert['relation'], 'relname'))
    const at = list(insert['cols']).findIndex((column) => get(column['ResTarget'], 'name') === 'schoolId')
    const school = this.#table(table, String(get(get(insert['relation'], 'alias'), 'aliasname') ?? table), level)
    level.names.set('excluded', school)
    const source = get(insert['selectStmt'], 'SelectStmt') as Node | undefined
    if (source) {
      const rows = list(source['valuesLists']).map((row) => list(get(row['List'], 'items'))[at])
      if (rows.length > 0) this.#inside(source, level)
      const given =
        rows.length > 0
          ? rows.map((value) => value && this.#schoolOf(value, level))
          : [this.statement({ SelectStmt: source }, level, at)]
      if (school !== undefined && given.every((one) => one !== undefined))
        for (const one of given) this.#join(school, one)
    }
    this.#inside(insert['onConflictClause'], level)
    this.#inside(insert['returningList'], level)
    return school
  }

  #change(change: Node, level: Level): number | undefined {
    const relation = change['relation'] as Node
    const table = String(relation['relname'])
    const school = this.#table(table, String(get(relation['alias'], 'aliasname') ?? table), level)
    for (const item of [...list(change['fromClause']), ...list(change['usingClause'])]) this.#from(item, level)
    for (const [key, part] of Object.entries(change))
      if (!['relation', 'fromClause', 'usingClause', 'withClause'].includes(key)) this.#inside(part, level)
    return school
  }

  /** What a target list gives as `schoolId`. */
  #schoolGiven(targets: Node[], level: Level): number | undefined {
    for (const { ResTarget: target } of targets) {
      const value = get(target, 'val') as Node
      // a whole row taken apart again, made of one of the first table
      if ('A_Indirection' in value && targets.length === 1) return firstOf(level.names)
      const fields = list(get(value['ColumnRef'], 'fields'))
      const isAll = fields.some((field) => 'A_Star' in field)
      if (isAll) {
        const alias = text(fields[0])
        const school = alias === undefined ? firstOf(level.names) : this.#lookUp(alias, level)
        if (school !== undefined) return school
      }
      const name = get(target, 'name') ?? text(fields.at(-1))
      if (name === 'schoolId') return this.#schoolOf(value, level)
    }
    return undefined
  }

  /** An item of a FROM clause: a table, a query, a function or a join of such. */
  #from(item: Node, level: Level): void {
    const [[kind, content]] = Object.entries(item) as [[string, Node]]
    const alias = get(content['alias'], 'aliasname') as string | undefined
    if (kind === 'RangeVar') {
      const table = String(content['relname'])
      this.#table(table, alias ?? table, level)
    } else if (kind === 'RangeSubselect') {
      // a lateral query sees the names beside it, so every query may
      const school = this.statement(content['subquery'] as Node, level)
      const named = list(get(content['alias'], 'colnames')).some((name) => text(name) === 'schoolId')
      level.names.set(alias ?? '', school ?? (named ? this.#newSchool() : undefined))
    } else if (kind === 'JoinExpr') {
      const before = new Set(level.names.keys())
      this.#from(content['larg'] as Node, level)
      const middle = new Set(level.names.keys())
      this.#from(content['rarg'] as Node, level)
      if (list(content['usingClause']).some((name) => text(name) === 'schoolId')) {
        const left = [...middle].filter((name) => !before.has(name)).map((name) => level.names.get(name))
        const right = [...level.names].filter(([name]) => !middle.has(name)).map(([, school]) => school)
        const schools = [...left, ...right].filter((school) => school !== undefined)
        for (const school of schools) this.#join(schools[0]!, school)
      }
      // what is joined where it is there: an engine does not always see its school by that of the other side
      const outside = this.#isOptional
      this.#isOptional = content['jointype'] !== 'JOIN_INNER'
      this.#inside(content['quals'], level)
      this.#isOptional = outside
    } else {
      // rows that a function makes of what the caller hands in are the caller's
      level.names.set(alias ?? '', kind === 'RangeFunction' ? this.#given() : undefined)
      this.#inside(content, level)
    }
  }

  /** Gives a table its number, unless its rows belong to no school; a CTE hides a table of its name. */
  #table(table: string, alias: string, level: Level): number | undefined {
    for (let at: Level | undefined = level; at; at = at.outer)
      if (at.ctes.has(table)) {
        level.names.set(alias, at.ctes.get(table))
        return at.ctes.get(table)
      }
    if (!this.#divided.has(table) && !this.#undivided.has(table)) {
      level.names.set(alias, undefined)
      return undefined
    }
    const school = this.#newSchool()
    if (!this.#undivided.has(table)) this.#tables.push({ table, school })
    level.names.set(alias, school)
    level.tables.add(alias)
    return school
  }

  /** Everything else: looks for equalities of schools and for queries within. */
  #inside(part: unknown, level: Level): void {
    if (Array.isArray(part)) {
      for (const one of part) this.#inside(one, level)
      return
    }
    if (typeof part !== 'object' || part === null) return
    const node = part as Node
    if ('SelectStmt' in node) return void this.statement(node, level)
    if ('A_Expr' in node) this.#equality(node['A_Expr'] as Node, level)
    for (const value of Object.values(node)) this.#inside(value, level)
  }

  #equality(expression: Node, level: Level): void {
    const kind = expression['kind']
    if (!list(expression['name']).some((name) => text(name) === '=')) return
    if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_IN') return
    const left = expression['lexpr'] as Node
    const right = expression['rexpr'] as Node
    const pairs: [Node, Node][] =
      left && 'RowExpr' in left && right && 'RowExpr' in right
        ? list(get(left['RowExpr'], 'args')).map((one, at) => [one, list(get(right['RowExpr'], 'args'))[at]!])
        : [[left, right]]
    for (const [one, other] of pairs) {
      if (!isSchool(one) && !isSchool(other)) continue
      const a = this.#schoolOf(one, level)
      const b = this.#schoolOf(other, level)
      if (a === undefined || b === undefined) continue
      this.#said.join(a, b)
      const columns = [this.#columnOf(one, level), this.#columnOf(other, level)] as const
      const isBetween = this.#isOptional && columns[0] !== undefined && columns[1] !== undefined
      if (!isBetween && this.#isSeen(columns[0], level) && this.#isSeen(columns[1], level)) this.#seen.join(a, b)
      else if (pairs.length === 1 && columns[0] && columns[1])
        for (const column of [columns[0], columns[1]])
          if (column.isTable && column.level === level) this.#loose.push({ column, behind: columns[1] })
    }
  }

  /** Whether an engine sees the school of one side of an equality: a value, or a column of a table of this level. */
  #isSeen(column: SchoolColumn | undefined, level: Level): boolean {
    return column === undefined || (column.isTable && column.level === level)
  }

  /** The column that a value is; undefined where it is none. */
  #columnOf(value: Node, level: Level): SchoolColumn | undefined {
    const column = get(value, 'ColumnRef')
    if (column === undefined) return undefined
    const fields = list(get(column, 'fields'))
    const location = Number(get(column, 'location') ?? 0)
    for (let at: Level | undefined = level; at; at = at.outer) {
      const alias = fields.length > 1 ? text(fields.at(-2))! : firstNameOf(at.names)
      const school = alias === undefined ? undefined : at.names.get(alias)
      if (alias !== undefined && school !== undefined)
        return { school, level: at, isTable: at.tables.has(alias), location }
      if (fields.length > 1 && at.names.has(alias!)) return undefined
    }
    return undefined
  }

  /** The school that an expression names: a column's, or the one of the caller where it is a value. */
  #schoolOf(value: Node, level: Level): number | undefined {
    if ('TypeCast' in value) return this.#schoolOf(get(value['TypeCast'], 'arg') as Node, level)
    if ('ParamRef' in value) return this.#parameter(Number(get(value['ParamRef'], 'number')))
    // a setting or a trigger's row says one school
    if ('A_Const' in value || 'FuncCall' in value) return this.#given()
    if ('SubLink' in value) {
      const sublink = value['SubLink'] as Node
      return sublink['subLinkType'] === 'EXPR_SUBLINK' ? this.statement(sublink['subselect'] as Node, level) : undefined
    }
    const fields = list(get(value['ColumnRef'], 'fields'))
    if (text(fields.at(-1)) !== 'schoolId') return undefined
    return fields.length > 1 ? this.#lookUp(text(fields.at(-2))!, level) : this.#bare(level)
  }

  #lookUp(alias: string, level: Level): number | undefined {
    for (let at: Level | undefined = level; at; at = at.outer) if (at.names.has(alias)) return at.names.get(alias)
    return undefined
  }

  #bare(level: Level): number | undefined {
    for (let at: Level | undefined = level; at; at = at.outer) {
      const first = firstOf(at.names)
      if (first !== undefined) return first
    }
    return undefined
  }

  #join(one: number, other: number): void {
    this.#said.join(one, other)
    this.#seen.join(one, other)
  }

  #newSchool(): number {
    this.#seen.add()
    return this.#said.add()
  }

  /** The school of a value that the caller gives. */
  #given(parameter?: number): number {
    this.#seen.add(true, parameter)
    return this.#said.add(true, parameter)
  }

  #parameter(parameter: number): number {
    let school = this.#parameters.get(parameter)
    if (school === undefined) this.#parameters.set(parameter, (school = this.#given(parameter)))
    return school
  }
}

/** A column with the name before it. */
const columnPattern = /^(?:"(?:[^"]|"")+"|\w+)(?:\s*\.\s*(?:"(?:[^"]|"")+"|\w+))*/u

const list = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : [])
const get = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Node)[key] : undefined
const text = (node: Node | undefined): string | undefined => get(node?.['String'], 'sval') as string | undefined
const isSchool = (value: Node): boolean => text(list(get(value['ColumnRef'], 'fields')).at(-1)) === 'schoolId'
const firstNameOf = (names: Names): string | undefined => [...names].find(([, school]) => school !== undefined)?.[0]
const firstOf = (names: Names): number | undefined => names.get(firstNameOf(names) ?? '')
/** A constant false, which PostgreSQL's tree tells by leaving out its value. */
const isFalse = (value: unknown): boolean => {
  const constant = get(value, 'A_Const')
  return get(constant, 'boolval') !== undefined && get(get(constant, 'boolval'), 'boolval') !== true
}
