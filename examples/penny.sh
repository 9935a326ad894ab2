#!/bin/sh
# Penny, a bot for any POSIX shell: it bids one coin more while that is at most four, and keeps its best houses longest.
#
# forsale simulate --bots "cmd:sh examples/penny.sh,random,random,random"

cap=4

while read -r word rest; do
    case $word in
        forsale) echo "ready 1 Penny" ;;
        legal) legal=$rest ;;
        choose)
            # In an auction the actions are "- 3 4 5 …", in a sale the houses in hand, the lowest first.
            set -- $legal
            action=$1
            if [ "$1" = - ] && [ "${2:-99}" -le "$cap" ]; then
                action=$2
            fi
            echo "play $rest $action"
            ;;
        quit) exit 0 ;;
    esac
done
