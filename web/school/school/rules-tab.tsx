import { Button, Switch } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { isDefault } from '../../../contract/school/school/setting-values.ts'
import { settingGroups, settingOf } from '../../../contract/school/school/settings.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { useDirty } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { RulesConfirm } from './rules-confirm.tsx'
import { faultsOf, wireOf } from './setting-draft.ts'
import { useSettingNames } from './setting-names.ts'
import { SettingRow } from './setting-row.tsx'

type Values = Record<string, unknown>

/** The rules of the school in groups: found by words, changed in place, saved together after a look at what changes. */
export function RulesTab({ onDirty }: { onDirty: (part: 'settings', isDirty: boolean) => void }) {
  const { data } = useCall(schoolInfoApi.settings, {})
  const [draft, setDraft] = useState<Values>({})
  const [word, setWord] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const names = useSettingNames()
  const saved = data?.values
  // what was typed back to the stored value is no change
  const changes = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(draft).filter(
          ([key, value]) => JSON.stringify(wireOf(key, value)) !== JSON.stringify(saved?.[key]),
        ),
      ),
    [draft, saved],
  )
  const faults = useMemo(() => (saved ? faultsOf(saved, changes) : {}), [saved, changes])
  const count = Object.keys(changes).length
  useEffect(() => onDirty('settings', count > 0), [count, onDirty])
  useDirty(count > 0)
  if (!saved) return <ReadSkeleton className="school-wait" paragraph={{ rows: 10 }} />

  const mayEdit = data.can.includes('edit')
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
    if (first) document.getElementById(`setting-${first}`)?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    else setAsking(true)
  }
  return (
    <div className="rules">
      <div className="school-bar">
        <SearchBox
          className="rules-search"
          placeholder="查找规则，如 公示、签到"
          aria-label="查找规则"
          value={word}
          onChange={(event) => setWord(event.target.value.trim())}
        />
        <label className="rules-switch">
          <Switch checked={onlyChanged} onChange={setOnlyChanged} />
          只看与默认不同的
        </label>
      </div>
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
              next={<Button onClick={() => (setWord(''), setOnlyChanged(false))}>显示全部规则</Button>}
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
                  onChange={(value) => setDraft((old) => ({ ...old, [key]: value }))}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
      {mayEdit && count > 0 && (
        <div className="form-foot rules-foot">
          <span>{count} 项规则尚未保存</span>
          <LockButton onClick={() => setDraft({})}>放弃修改</LockButton>
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
          onDone={() => setDraft({})}
        />
      )}
    </div>
  )
}
