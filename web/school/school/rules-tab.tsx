import { Button, Switch } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { isDefault } from '../../../contract/school/school/setting-values.ts'
import { settingGroups, settingOf } from '../../../contract/school/school/settings.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { useDraftOffer } from '../../core/form/draft-offer.tsx'
import { clearDraft, keepDraft } from '../../core/service/draft.ts'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useDirty } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { RulesConfirm } from './rules-confirm.tsx'
import { faultsOf, wireOf } from './setting-draft.ts'
import { useSettingNames } from './setting-names.ts'
import { SettingRow } from './setting-row.tsx'
import { figure } from '../../core/service/figure.ts'

type Values = Record<string, unknown>
/** Under which name typed rules are kept on this machine. */
const draftName = 'school-settings'
/** What of typed rules is unsaved: what was typed back to the stored value is no change. */
const changesIn = (typed: Values, saved: Values | undefined): Values =>
  Object.fromEntries(
    Object.entries(typed).filter(([key, value]) => JSON.stringify(wireOf(key, value)) !== JSON.stringify(saved?.[key])),
  )
/** What the rules are found by, as the address has it. */
const [wordName, changedName] = ['word', 'changed']

/** The rules of the school in groups: found by words, changed in place, saved together after a look at what changes. */
export function RulesTab({ onDirty }: { onDirty: (part: 'settings', isDirty: boolean) => void }) {
  const { data } = useCall(schoolInfoApi.settings, {})
  const [draft, setDraft] = useState<Values>({})
  const [query, change] = useAddress()
  // the field itself: what is typed quickly must not be overtaken by the address, which follows it
  const [word, setWord] = useState(query.get(wordName) ?? '')
  const onlyChanged = query.get(changedName) === yesNo.yes
  const search = (text: string, isOnlyChanged = onlyChanged) => {
    setWord(text)
    change(withParams({ [wordName]: text, [changedName]: isOnlyChanged ? yesNo.yes : undefined }), { replace: true })
  }
  const [isAsking, setAsking] = useState(false)
  const names = useSettingNames()
  const saved = data?.values
  const changes = useMemo(() => changesIn(draft, saved), [draft, saved])
  const faults = useMemo(() => (saved ? faultsOf(saved, changes) : {}), [saved, changes])
  const count = Object.keys(changes).length
  useEffect(() => onDirty('settings', count > 0), [count, onDirty])
  useDirty(count > 0, 'kept')
  const offer = useDraftOffer(draftName, {
    version: data?.version,
    onTake: ({ settings }) =>
      type({ ...draft, ...Object.fromEntries(Object.entries(settings as Values).filter(([key]) => settingOf(key))) }),
  })
  if (!saved) return <ReadSkeleton className="school-wait" paragraph={{ rows: 10 }} />

  const mayEdit = data.can.includes('edit')
  const type = (next: Values) => {
    setDraft(next)
    keepDraft(draftName, () => {
      const settings = changesIn(next, saved)
      return Object.keys(settings).length > 0 ? { version: data.version, settings } : undefined
    })
  }
  const drop = () => {
    setDraft({})
    clearDraft(draftName)
  }
  const now: Values = { ...saved, ...changes }
  const fits = (key: string, title: string): boolean => {
    const { label, help } = settingOf(key)!
    return (
      (!onlyChanged || key in changes || !isDefault(key, wireOf(key, now[key]))) &&
      [title, label, help].some((text) => text.includes(word))
    )
  }
  const groups = Object.entries(settingGroups)
    .map(([id, { title, settings }]) => ({ id, title, keys: Object.keys(settings).filter((key) => fits(key, title)) }))
    .filter(({ keys }) => keys.length > 0)
  const save = () => {
    const [first] = Object.keys(faults)
    if (!first) return setAsking(true)
    const place = document.getElementById(`setting-${first}`)
    if (place) return place.scrollIntoView({ block: 'center', behavior: 'smooth' })
    // the rule that what was typed does not agree with may not be among those that were looked for
    search(settingOf(first)!.label, false)
  }
  return (
    <div className="rules">
      <div className="school-bar">
        <SearchBox
          className="rules-search"
          placeholder="查找规则，如 公示、签到"
          aria-label="查找规则"
          value={word}
          onChange={(event) => search(event.target.value.trim())}
        />
        <label className="rules-switch">
          <Switch checked={onlyChanged} onChange={(isOn) => search(word, isOn)} />
          只看与默认不同的
        </label>
      </div>
      {mayEdit && offer}
      <div className="rules-columns">
        <nav className="anchors rules-anchors" aria-label="规则分组">
          {groups.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              onClick={() =>
                document.getElementById(`rules-${id}`)?.scrollIntoView({ block: 'start', behavior: 'smooth' })
              }
            >
              {title}
            </button>
          ))}
        </nav>
        <div className="rules-groups">
          {groups.length === 0 && (
            <EmptyState
              text={word ? `没有与${quoted(word)}有关的规则` : '所有规则都是默认值'}
              next={<Button onClick={() => search('', false)}>显示全部规则</Button>}
            />
          )}
          {groups.map(({ id, title, keys }) => (
            <section key={id} id={`rules-${id}`} aria-label={title}>
              <h2>{title}</h2>
              {keys.map((key) => (
                <SettingRow
                  key={key}
                  name={key}
                  value={now[key]}
                  saved={saved[key]}
                  names={names}
                  fault={faults[key]}
                  isFixed={!mayEdit}
                  onChange={(value) => type({ ...draft, [key]: value })}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
      {mayEdit && count > 0 && (
        <div className="form-foot rules-foot">
          <span>{figure(count)} 项规则尚未保存</span>
          <LockButton onClick={drop}>放弃修改</LockButton>
          <LockButton type="primary" authority-type={schoolInfoApi.saveSettings.permit} onClick={save}>
            保存规则
          </LockButton>
        </div>
      )}
      {isAsking && (
        <RulesConfirm
          version={data.version}
          saved={saved}
          changes={Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, wireOf(key, value)]))}
          onClose={() => setAsking(false)}
          onDone={drop}
        />
      )}
    </div>
  )
}
