/*
 * What a page offers to whoever runs it, in the protocol of MiniWoB: a goal in #query, a problem that `genProblem` of
 * the page draws from Math.random, and an episode that starts, ends once and tells how it ended in globals.
 *
 * The display (reward, cover, canvas) may be taken out of the document and put back at any time, so it is held here and
 * never looked up; and what ends an episode calls `core.endEpisode` by name, since that may be wrapped.
 */
Object.assign(window, {
  WOB_REWARD_GLOBAL: 0,
  WOB_RAW_REWARD_GLOBAL: 0,
  WOB_REWARD_REASON: null,
  WOB_DONE_GLOBAL: false,
  WOB_EPISODE_ID: 0,
  WOB_TASK_READY: true,
});

/** From here on Math.random depends on `seed` alone: a counter, mixed well. */
Math.seedrandom = (seed) => {
  let counter = seed >>> 0;
  Math.random = () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
};

/** Draws for the pages; each uses Math.random and nothing else. */
window.draw = {
  /** A whole number from `low` to `high`, both included. */
  between: (low, high) => low + Math.floor(Math.random() * (high - low + 1)),
  /** `count` of `list`, none twice, in a drawn order. */
  some(list, count) {
    const rest = [...list];
    return Array.from({ length: count }, () => rest.splice(draw.between(0, rest.length - 1), 1)[0]);
  },
};

window.core = (() => {
  const display = { rewards: null, canvas: null, cover: null, countdown: null, episode: null };
  let startedAt = 0;
  let ending = null;
  let ticking = null;

  const element = (tag, id, text = '') => {
    const made = document.createElement(tag);
    made.id = id;
    made.textContent = text;
    return made;
  };

  return {
    /** Milliseconds after which an episode ends by itself. */
    EPISODE_MAX_TIME: 10_000,

    /** Once the page is loaded: everything is there, and a click on the cover starts. */
    startEpisode() {
      core.createDisplay();
      display.cover.hidden = false;
    },

    startEpisodeReal() {
      genProblem();
      window.WOB_DONE_GLOBAL = false;
      window.WOB_REWARD_GLOBAL = 0;
      window.WOB_RAW_REWARD_GLOBAL = 0;
      window.WOB_REWARD_REASON = null;
      getSelection().removeAllRanges();
      display.canvas.getContext('2d').clearRect(0, 0, 160, 210);
      scrollTo(0, 0);
      display.cover.hidden = true;
      startedAt = Date.now();
      clearTimeout(ending);
      ending = setTimeout(() => core.endEpisode(-1, false, 'timed out'), core.EPISODE_MAX_TIME);
      core.clearTimer();
      ticking = setInterval(() => {
        const left = core.EPISODE_MAX_TIME - (Date.now() - startedAt);
        display.countdown.textContent = `${Math.max(0, Math.ceil(left / 1000))} s`;
      }, 1000);
    },

    /** Only the first call of an episode counts. `timeProportional`: a quick answer is worth more. */
    endEpisode(reward, timeProportional, reason) {
      if (ending === null) return;
      clearTimeout(ending);
      ending = null;
      core.clearTimer();
      const left = Math.max(0, 1 - (Date.now() - startedAt) / core.EPISODE_MAX_TIME);
      window.WOB_RAW_REWARD_GLOBAL = reward;
      window.WOB_REWARD_GLOBAL = timeProportional ? reward * left : reward;
      window.WOB_REWARD_REASON = reason ?? null;
      window.WOB_DONE_GLOBAL = true;
      window.WOB_EPISODE_ID += 1;
      display.episode.textContent = String(WOB_EPISODE_ID);
      display.rewards.firstChild.textContent = `Last reward: ${WOB_REWARD_GLOBAL.toFixed(2)} `;
      display.cover.hidden = false;
    },

    getUtterance() {
      return document.getElementById('query').textContent.replace(/\s+/g, ' ').trim();
    },

    createDisplay() {
      if (document.getElementById('reward-display') !== null) return;
      display.rewards = element('div', 'reward-display', 'Last reward: - ');
      display.countdown = element('span', 'timer-countdown', '- s');
      display.episode = element('span', 'episode-id', '0');
      display.rewards.append(display.countdown, ' ', display.episode);
      display.canvas = element('canvas', 'click-canvas');
      display.canvas.width = 160;
      display.canvas.height = 210;
      display.cover = element('div', 'sync-task-cover', 'START');
      display.cover.addEventListener('click', () => core.startEpisodeReal());
      document.body.append(display.rewards, display.canvas, display.cover);
      document.body.addEventListener('click', core.canvasDrawClick);
    },

    /** Stops the countdown that people see; the episode's own end stays set. */
    clearTimer() {
      clearInterval(ticking);
      ticking = null;
      display.countdown.textContent = '- s';
    },

    /** Marks a click for people who watch. */
    canvasDrawClick({ clientX, clientY }) {
      const pen = display.canvas.getContext('2d');
      pen.fillStyle = 'rgba(200, 80, 80, 0.5)';
      pen.fillRect(clientX - 3, clientY - 3, 6, 6);
    },
  };
})();

/** Sets the goal of this episode. */
window.setGoal = (text) => {
  document.getElementById('query').textContent = text;
};

{
  const style = document.createElement('style');
  style.textContent = `
    html, body { margin: 0; font: 12px Arial, sans-serif; }
    #wrap { width: 160px; height: 210px; }
    #query { height: 44px; padding: 3px; background: #ff9; overflow: hidden; }
    #area { position: relative; width: 160px; height: 160px; }
    #reward-display { position: absolute; left: 170px; top: 0; width: 150px; }
    #click-canvas { position: absolute; left: 0; top: 0; pointer-events: none; }
    #sync-task-cover { position: absolute; left: 0; top: 0; width: 160px; height: 210px; background: #ccc; }
    #sync-task-cover[hidden] { display: none; }
    input, select, button { font: inherit; }`;
  document.head.append(style);
  addEventListener('load', () => core.startEpisode());
}
