# How often each rule of the order applied, below the prices.
tracepipe --sink null:until=order,rules=yes "$DATA/go126-user.trace" | sed '1,/^$/d'
